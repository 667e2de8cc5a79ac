// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/run.h"
#include "fovea/ep/fit/fit_model.h"
#include "fovea/report/page.h"

namespace fovea::ep {

/// Makes a page of a fit for people: what can be trusted, the posterior of every number with its draws, and what the
/// model predicts for the cells that it was fitted to. `problem` is what was fitted. The page has no predictions where
/// the model cannot predict rows, and says why.
report::Page model_page(const ModelProblem& problem, const FittedModel& fitted, const Run& run);

/// Makes a page of a check by simulation.
report::Page check_page(const std::string& model, const SimulationCheck& check);

}  // namespace fovea::ep
