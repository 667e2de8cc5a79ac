// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/record_rule.h"

#include <numbers>

namespace fovea::linkage {

RecordRule RecordRule::hot() { return {.weights = {0, -std::numbers::ln2, 0, 0, 0, 0, 0, 2, 0, 0}}; }

RecordRule RecordRule::learned() {
  return {.weights = {-0.4216, -0.8749, -0.2976, -0.4316, 0.2985, -0.4882, -0.1445, 0.3617, 0.0947, 0.1141}};
}

}  // namespace fovea::linkage
