// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/enumeration.h"

#include <fmt/format.h>

namespace fovea::mcmc::internal {

void refuse_enumeration(double assignments) {
  throw LimitError(
      fmt::format("enumeration of {:g} assignments is refused (limit {:g})", assignments, kMaxEnumeratedAssignments));
}

}  // namespace fovea::mcmc::internal
