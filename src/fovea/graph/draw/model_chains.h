// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/colour/colour_gibbs.h"
#include "fovea/graph/colour/target_chain.h"
#include "fovea/graph/tables/soft_tables.h"

namespace fovea::graph {

/// Markov chains of one model with the tables that they share: Gibbs chains in colour order, where there are hard
/// constraints with blocks drawn jointly, or tempered ones.
class ModelChains {
 public:
  /// One chain for each start (there may be none), of positive probability. inverse_temperatures: falling from 1; with
  /// fewer than two, Gibbs chains. Nothing where `stop` was requested first. `graph` must outlive the result.
  static std::optional<ModelChains> build(const FactorGraph& graph, const std::vector<double>& inverse_temperatures,
                                          std::vector<Assignment> starts, const Random& random, const Stop& stop = {});

  /// One more, on the same tables, which stay here.
  TargetChain chain_from(Assignment start, const Random& random) const;

  std::vector<TargetChain>& chains() { return chains_; }
  const std::vector<TargetChain>& chains() const { return chains_; }

 private:
  std::vector<double> inverse_temperatures_;
  bool has_constraints_ = false;
  std::unique_ptr<const ColourGibbs> gibbs_;  // where there is one temperature
  std::unique_ptr<const SoftTables> tables_;  // where there are more
  std::vector<TargetChain> chains_;
};

}  // namespace fovea::graph
