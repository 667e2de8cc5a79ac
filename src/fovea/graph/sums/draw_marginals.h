// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fovea/base/run.h"
#include "fovea/graph/sums/marginal_sampler.h"
#include "fovea/graph/task/solve_log.h"
#include "fovea/graph/task/solve_options.h"

namespace fovea::graph {

struct DrawnMarginals {
  MarginalSampler::Answer answer = {};
  const char* method = "";
};

/// Estimates the marginals of `graph` with Gibbs chains, until the limits or the target error. If chains are stuck
/// after a third of that (R-hat above 3), the rest goes to parallel tempering, whose answer counts unless its chains
/// agree less. Returns nothing if the limits came before there were enough draws for errors. Without any limit it ends
/// after 256 batches.
std::optional<DrawnMarginals> draw_marginals(const FactorGraph& graph, const SumOptions& options, const Run& run,
                                             SolveLog& log);

}  // namespace fovea::graph
