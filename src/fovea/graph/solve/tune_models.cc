// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/solve/tune_grids.h"

#include <optional>

#include "fovea/base/error.h"
#include "fovea/graph/format/read_model.h"
#include "fovea/graph/grid/grid_model.h"
#include "fovea/graph/map/portfolio_members.h"

namespace fovea::graph {

bool is_model_file(const std::string& path) {
  try {
    model_format_of(path);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

StripRule tune_grids(const std::vector<std::string>& paths, const StripRuleLearnerOptions& options, const Run& run) {
  std::vector<TuningGrid> grids;
  for (const std::string& path : paths) {
    std::optional<GridModel> grid = GridModel::detect(read_model(path).graph);
    if (!grid)
      throw InputError({.file = path}, "not a grid whose variables are numbered along its rows",
                       "Only models of grids have a policy of their own");
    grids.push_back({.model = *grid, .plan = grid_annealing_plan(*grid), .source = path});
  }
  const StripRule rule = learn_strip_rule(grids, options, run);
  if (run.is_cancelled()) run.warn_of("interrupted: this is the rule of the last generation that was complete");
  return rule;
}

}  // namespace fovea::graph
