// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "fovea/base/progress.h"
#include "fovea/base/seconds_since.h"
#include "fovea/base/work.h"

namespace fovea {

enum class StopReason { kNotRun, kSettled, kTransitions, kFactors, kSeconds, kCancelled };

std::string_view to_string(StopReason reason);

/// When a run ends; whichever comes first.
struct RunLimits {
  std::uint64_t transitions = std::numeric_limits<std::uint64_t>::max();  ///< kept exactly: batches are cut short
  std::uint64_t factors = std::numeric_limits<std::uint64_t>::max();      ///< stops once work.factors >= factors
  double seconds = std::numeric_limits<double>::infinity();               ///< checked between batches
  const CancelToken* cancel = nullptr;

  /// The one that a run has reached, which began at `start` and has done `work`.
  std::optional<StopReason> reached(const Work& work, std::chrono::steady_clock::time_point start) const {
    if (work.transitions >= transitions) return StopReason::kTransitions;
    if (work.factors >= factors) return StopReason::kFactors;
    if (cancel && cancel->cancelled()) return StopReason::kCancelled;
    if (seconds < std::numeric_limits<double>::infinity() && seconds_since(start) >= seconds)
      return StopReason::kSeconds;
    return std::nullopt;
  }
};

/// What a run did; starts as "not run".
struct RunSummary {
  StopReason stopped_by = StopReason::kNotRun;
  Work work;
  std::uint64_t changes = 0;
  double seconds = 0;
};

}  // namespace fovea
