// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fovea::sequence {

/// Lowest restart rate for sequences: a run of 1 / rate sweeps is one step, which nothing interrupts.
inline constexpr double kLeastRestartRate = 1e-4;

/// Throws UsageError for a rate below that, except 0.
void check_restart_rate(double rate);

}  // namespace fovea::sequence
