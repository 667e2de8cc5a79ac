// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "fovea/optimize/iteration.h"

namespace fovea::optimize::internal {

/// Applies StoppingOptions and the observer to each iteration's record.
class StoppingRule {
 public:
  /// `objectives`: those of the iterations so far; each call appends one.
  StoppingRule(const StoppingOptions& options, const IterationObserver& observer, std::vector<double>& objectives)
      : options_(options), observer_(observer), objectives_(objectives) {}

  /// The reason to stop after this record, if any.
  std::optional<Termination> operator()(const IterationRecord& record) {
    objectives_.push_back(record.objective);
    if (!std::isfinite(record.objective) || !std::isfinite(record.gradient_norm)) return Termination::kNotFinite;
    if (observer_ && !observer_(record)) return Termination::kStopped;
    if (record.gradient_norm <= options_.gradient_tolerance * std::max(1.0, record.parameter_norm))
      return Termination::kConverged;
    if (decrease_is_small(record.objective)) return Termination::kConverged;
    if (record.iteration >= options_.max_iterations) return Termination::kIterations;
    return std::nullopt;
  }

 private:
  bool decrease_is_small(double objective) const {
    const auto period = static_cast<std::size_t>(options_.period);
    if (options_.decrease_tolerance <= 0 || objectives_.size() <= period) return false;
    const double before = objectives_[objectives_.size() - 1 - period];
    return before - objective <= options_.decrease_tolerance * std::abs(objective);
  }

  StoppingOptions options_;
  const IterationObserver& observer_;
  std::vector<double>& objectives_;
};

}  // namespace fovea::optimize::internal
