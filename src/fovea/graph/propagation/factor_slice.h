// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Slice of a factor's table at fixed values of some variables: a table over the other variables, in their order.
class FactorSlice {
 public:
  /// Takes the slice of factor f at y; is_free(position) is true for the variables that stay open, at least one. False
  /// if `stop` was requested (polled within large slices).
  template <class IsFree>
  bool take(const FactorGraph& graph, FactorId f, std::span<const Value> y, const IsFree& is_free, const Stop& stop) {
    positions_.clear();
    cardinalities_.clear();
    strides_.clear();
    const std::span<const VariableId> scope = graph.scope(f);
    std::size_t first = 0;
    for (std::uint32_t i = 0; i < scope.size(); ++i) {
      const std::uint32_t stride = graph.strides(f)[i];
      if (!is_free(i)) {
        first += std::size_t{stride} * y[scope[i]];
        continue;
      }
      positions_.push_back(i);
      cardinalities_.push_back(static_cast<std::uint32_t>(graph.cardinality(scope[i])));
      strides_.push_back(stride);
    }
    return gather(graph.table(f).subspan(first), stop);
  }

  std::span<const double> table() const { return table_; }
  std::span<const std::uint32_t> cardinalities() const { return cardinalities_; }
  /// Position of each open variable in the factor's scope, ascending.
  std::span<const std::uint32_t> positions() const { return positions_; }

 private:
  bool gather(std::span<const double> source, const Stop& stop);

  std::vector<std::uint32_t> positions_, cardinalities_, strides_, digits_;
  std::vector<double> table_;
};

inline bool FactorSlice::gather(std::span<const double> source, const Stop& stop) {
  std::size_t size = 1;
  for (const std::uint32_t cardinality : cardinalities_) size *= cardinality;
  table_.resize(size);
  digits_.assign(cardinalities_.size(), 0);
  const std::size_t last_count = cardinalities_.back(), last_stride = strides_.back();
  std::size_t from = 0;
  StopMeter meter;
  for (std::size_t to = 0; to < size; to += last_count) {
    for (std::size_t k = 0; k < last_count; ++k) table_[to + k] = source[from + k * last_stride];
    for (std::size_t j = digits_.size() - 1; j-- > 0;) {
      from += strides_[j];
      if (++digits_[j] < cardinalities_[j]) break;
      from -= std::size_t{strides_[j]} * cardinalities_[j];
      digits_[j] = 0;
    }
    if (meter.is_late(last_count, stop)) return false;
  }
  return true;
}

}  // namespace fovea::graph
