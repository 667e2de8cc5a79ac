// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/model_notes.h"

#include <fmt/format.h>

#include "fovea/base/infinity.h"

namespace fovea::cli {

void warn_of_unheeded_bound(const Context& context, const ModelFile& model) {
  if (model.cost_bound == kInfinity) return;
  context.console.warn(
      fmt::format("the model's upper bound of costs, {:.10g}, holds for --task MAP alone: here "
                  "assignments that cost as much are possible",
                  model.cost_bound));
}

}  // namespace fovea::cli
