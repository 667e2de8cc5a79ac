// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fovea/graph/task/solve_log.h"
#include "fovea/graph/task/solve_options.h"
#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {

/// The partition function and, if asked for, the marginals of a model. log Z in natural logarithms, marginals linear.
/// What a method does not give stays at its default.
struct SumAnswer {
  bool is_exact = false;
  std::size_t exact_variables = 0;  ///< whose marginals are exact: all, or those that a smaller model told of
  std::string method = "";
  double log_partition = std::numeric_limits<double>::quiet_NaN();
  double log_partition_error = std::numeric_limits<double>::quiet_NaN();  ///< standard error; 0 if exact
  double log_partition_bound = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> marginals = {};  ///< [variable][value]
  double max_standard_error = std::numeric_limits<double>::quiet_NaN();
  double max_r_hat = std::numeric_limits<double>::quiet_NaN();
  double min_effective_samples = std::numeric_limits<double>::quiet_NaN();
  std::optional<mcmc::Mixing> mixing = {};  ///< samplers only
  std::size_t unmoved_variables = 0;
};

/// Sums over all assignments of `graph` under the options and limits: a junction tree if it fits, on the
/// simplified model for log Z; else counting, elimination by cases, join graphs of growing size, samples (Gibbs
/// chains for marginals, annealed importance sampling for log Z).
/// Throws LimitError where nothing was found in time, InfeasibleError for marginals where Z = 0 is proved.
SumAnswer find_sums(const FactorGraph& graph, bool wants_marginals, const SumOptions& options, const Run& run,
                    SolveLog& log);

}  // namespace fovea::graph
