// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/task/solve_log.h"
#include "fovea/graph/task/solve_options.h"
#include "fovea/mcmc/diagnostics.h"

namespace fovea::graph {

/// The partition function and, if asked for, the marginals of a model. log Z in natural logarithms, marginals linear.
/// Fields that a method does not give stay at their defaults.
struct SumAnswer {
  bool is_exact = false;
  std::size_t exact_variables = 0;  ///< whose marginals are exact: all, or those found in a smaller model
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

/// Sums over all assignments of `graph` under the options and limits: by a junction tree if it fits, on the simplified
/// model for log Z; otherwise by conditioning on cases, counting, join graphs of growing size, and samples in what the
/// limits leave (Gibbs chains for marginals, annealed importance sampling for log Z). Throws LimitError if nothing was
/// found in time, InfeasibleError for marginals if Z = 0 is proved.
SumAnswer find_sums(const FactorGraph& graph, bool wants_marginals, const SumOptions& options, const Run& run,
                    SolveLog& log);

}  // namespace fovea::graph
