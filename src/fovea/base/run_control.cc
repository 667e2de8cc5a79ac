// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/run_control.h"

namespace fovea {

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::kNotRun:
      return "not run";
    case StopReason::kSettled:
      return "settled";
    case StopReason::kTransitions:
      return "transition budget";
    case StopReason::kFactors:
      return "factor budget";
    case StopReason::kSeconds:
      return "time limit";
    case StopReason::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace fovea
