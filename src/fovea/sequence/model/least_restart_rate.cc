// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/model/least_restart_rate.h"

#include <fmt/format.h>

#include "fovea/base/error.h"

namespace fovea::sequence {

void check_restart_rate(double rate) {
  if (rate != 0 && !(rate >= kLeastRestartRate))
    throw UsageError(fmt::format("option 'restart-rate {}': give 0, or at least {}", rate, kLeastRestartRate));
}

}  // namespace fovea::sequence
