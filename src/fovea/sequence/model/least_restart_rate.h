// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fovea::sequence {

/// No rate below this is used for sequences: a run of 1 / rate sweeps is one step, which nothing interrupts.
inline constexpr double kLeastRestartRate = 1e-4;

/// Throws UsageError for a rate other than 0 below that.
void check_restart_rate(double rate);

}  // namespace fovea::sequence
