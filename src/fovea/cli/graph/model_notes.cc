// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/graph/model_notes.h"

#include <fmt/format.h>

#include "fovea/base/log_math.h"

namespace fovea::cli {

graph::ModelFile read_model_aloud(const Context& context, const std::string& path, const std::string& format) {
  graph::ModelFile model = graph::read_model(path, format);
  for (const std::string& warning : model.warnings) context.console.warn(path + ": " + warning);
  return model;
}

void warn_of_unheeded_bound(const Context& context, const graph::ModelFile& model) {
  if (model.cost_bound == kInfinity) return;
  context.console.warn(
      fmt::format("the model's upper bound of costs, {:.10g}, holds for --task MAP alone: here "
                  "assignments that cost as much are possible",
                  model.cost_bound));
}

}  // namespace fovea::cli
