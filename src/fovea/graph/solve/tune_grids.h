// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/grid/strip_rule_learner.h"

namespace fovea::graph {

/// Learns where to sample in models of grids in files, each counting the same, with the annealing plans of solve_map.
/// Stopped early it returns the rule of the last generation that was complete. Throws InputError for a model that is
/// not a grid whose variables are numbered along its rows.
StripRule tune_grids(const std::vector<std::string>& paths, const StripRuleLearnerOptions& options, const Run& run);

/// Whether the name of the file is that of a discrete model.
bool is_model_file(const std::string& path);

}  // namespace fovea::graph
