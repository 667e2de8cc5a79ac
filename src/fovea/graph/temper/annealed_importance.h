// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/temper/score_rows.h"

namespace fovea::graph {

/// log Z from a sample of importance weights.
struct LogPartitionEstimate {
  double log_z = -std::numeric_limits<double>::infinity();          ///< natural logarithm
  double standard_error = std::numeric_limits<double>::infinity();  ///< of log_z: sd(w) / (mean(w) sqrt(chains))
  double effective_chains = 0;                                      ///< (sum w)^2 / sum w^2
  std::size_t chains = 0;
};

/// Annealed importance sampling (Neal 2001) for the partition function of any graph. Every chain starts at a uniformly
/// random assignment, whose Z is known, and is moved by one sweep of Gibbs visits for each of the laws
///
///   p_t(y) proportional to exp(b_t score(y)),   0 = b_0 < b_1 < ... < b_T = 1;
///
/// its weight is w = prod_t exp((b_t - b_{t-1}) score(y_{t-1})), (8) of the paper, and E[w] = Z / Z_0. Hard constraints
/// are softened on the way; a chain that ends with a broken one has weight 0, which keeps the estimate of Z unbiased.
/// The steps b_t - b_{t-1} grow from the first on, since most changes happen while the chain is hot.
class AnnealedImportance {
 public:
  /// `graph` must outlive it; `temperatures` (T) >= 1.
  AnnealedImportance(const FactorGraph& graph, const Random& random, std::size_t temperatures);

  /// Runs further chains until there are `chains` in all, or `stop` is requested; a chain that is cut short does not
  /// count.
  Work run(std::size_t chains, const Stop& stop = {});

  LogPartitionEstimate estimate() const;

 private:
  std::optional<double> run_chain(Random random, const Stop& stop, Work& work);
  double inverse_temperature(std::size_t t) const;

  const FactorGraph* graph_;
  Random random_;
  std::size_t temperatures_;
  std::optional<SoftTables> tables_;
  HeatBath heat_bath_;
  std::vector<double> log_weights_;  // [chain]
};

}  // namespace fovea::graph
