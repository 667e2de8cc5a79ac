// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/grid/strip_rule_learner.h"

namespace fovea::graph {

/// Learns where to sample from grid models in files, each with equal weight, under the annealing plans of solve_map. If
/// stopped early, returns the rule of the last complete generation. Throws InputError for a model that is not a grid
/// whose variables are numbered along its rows.
StripRule tune_grids(const std::vector<std::string>& paths, const StripRuleLearnerOptions& options, const Run& run);

/// True if the name of the file is that of a discrete model.
bool is_model_file(const std::string& path);

}  // namespace fovea::graph
