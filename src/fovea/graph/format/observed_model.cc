// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/observed_model.h"

#include <fmt/format.h>

#include "fovea/base/log_math.h"
#include "fovea/graph/format/evidence_file.h"
#include "fovea/graph/format/read_model.h"

namespace fovea::graph {

void warn_of_unheeded_bound(const ModelFile& model, const WarningFunction& warn) {
  if (model.cost_bound == kInfinity || !warn) return;
  warn(fmt::format(
      "the model's upper bound of costs, {:.10g}, holds for option 'task MAP' alone: here assignments that cost as "
      "much or more are possible",
      model.cost_bound));
}

ModelFile read_model_file(const std::string& path, const std::string& format, const WarningFunction& warn) {
  ModelFile model = read_model(path, format);
  if (warn)
    for (const std::string& warning : model.warnings) warn(path + ": " + warning);
  return model;
}

ObservedModel read_observed_model(const ModelSource& source, const WarningFunction& warn) {
  ObservedModel read = {.file = read_model_file(source.model, source.from, warn)};
  read.evidence = evidence_argument(source.evidence, read.file.graph, read.file.names,
                                    static_cast<std::size_t>(source.evidence_sample));
  return read;
}

}  // namespace fovea::graph
