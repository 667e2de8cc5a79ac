// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "fovea/mcmc/subsample/factor_change.h"

namespace fovea::mcmc {

/// A change at temperature T: all differences, sums and bounds are divided by T. It offers what the change itself
/// offers.
template <FactorChange Change>
class TemperedChange {
 public:
  /// `temperature` > 0.
  TemperedChange(Change change, double temperature) : change_(std::move(change)), coldness_(1 / temperature) {}

  std::size_t size() const { return change_.size(); }
  double difference(std::size_t j) const { return coldness_ * change_.difference(j); }
  double sum(FactorRange range) const { return coldness_ * sum_of_differences(change_, range); }

  std::size_t vanishing() const requires StratifiedChange<Change> { return change_.vanishing(); }
  double bound() const requires BoundedChange<Change> { return coldness_ * change_.bound(); }
  double draw_cost() const requires DrawnChange<Change> { return change_.draw_cost(); }
  GroupedSum grouped() const requires GroupedChange<Change> {
    GroupedSum grouped = change_.grouped();
    grouped.sum *= coldness_;
    return grouped;
  }
  std::size_t grouped_cost() const requires GroupedChange<Change> { return change_.grouped_cost(); }

 private:
  Change change_;
  double coldness_;
};

}  // namespace fovea::mcmc
