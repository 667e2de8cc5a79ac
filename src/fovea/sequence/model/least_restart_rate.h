// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "fovea/base/error.h"

namespace fovea::sequence {

/// Lowest restart rate for sequences: a run of 1 / rate sweeps is one step, which nothing interrupts.
inline constexpr double kLeastRestartRate = 1e-4;

/// Throws UsageError for a rate below that, except 0.
inline void check_restart_rate(double rate) {
  if (rate != 0 && !(rate >= kLeastRestartRate))
    throw UsageError(fmt::format("option 'restart-rate {}': give 0, or at least {}", rate, kLeastRestartRate));
}

}  // namespace fovea::sequence
