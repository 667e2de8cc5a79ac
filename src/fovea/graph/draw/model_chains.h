// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/random.h"
#include "fovea/base/run.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/colour/colour_gibbs.h"
#include "fovea/graph/colour/target_chain.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/tables/soft_tables.h"

namespace fovea::graph {

/// Finds starts for Markov chains: `count` assignments of positive probability, far apart from each other where that is
/// easy. Each is a random assignment if that breaks no hard constraint, and otherwise the answer of a separate short
/// search. Throws like solve_map if no assignment is possible.
std::vector<Assignment> find_initial_states(const FactorGraph& graph, std::size_t count, const Run& run);

/// Markov chains of one model with the tables that they share: either Gibbs chains in colour order, which draw blocks
/// jointly if there are hard constraints, or tempered chains.
class ModelChains {
 public:
  /// Makes one chain for each start; `starts` may be empty, and each must have positive probability.
  /// inverse_temperatures fall from 1; fewer than two mean Gibbs chains. Returns nothing if `stop` was requested first.
  /// `graph` must outlive the result.
  static std::optional<ModelChains> build(const FactorGraph& graph, const std::vector<double>& inverse_temperatures,
                                          std::vector<Assignment> starts, const Random& random, const Stop& stop = {});

  /// Makes one more chain on the same tables, which stay in this object.
  TargetChain chain_from(Assignment start, const Random& random) const;

  /// Chains then draw blocks jointly.
  bool has_constraints() const { return has_constraints_; }
  std::vector<TargetChain>& chains() { return chains_; }
  const std::vector<TargetChain>& chains() const { return chains_; }

 private:
  std::vector<double> inverse_temperatures_;
  bool has_constraints_ = false;
  std::unique_ptr<const ColourGibbs> gibbs_;  // if there is one temperature
  std::unique_ptr<const SoftTables> tables_;  // if there are several
  std::vector<TargetChain> chains_;
};

}  // namespace fovea::graph
