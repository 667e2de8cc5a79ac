// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// Blocked Gibbs sampling on models with hard constraints: a random set of variables is drawn jointly given all others
/// (Jensen, Kjaerulff and Kong 1995), so that chains can move between assignments where no single variable may change
/// alone. The block's possible assignments are enumerated; those that the constraints exclude are cut off as early as
/// they show. A block with too many assignments keeps its values. Whether there are too many depends only on the other
/// variables, so the model's law stays invariant. The choice of a block does not depend on values at all.
///
/// A third of the blocks consist of random variables, a third grow from a variable along random factors, and a third
/// grow by the variable with the most neighbours in the block. The logarithm of the size is uniform, up to 64
/// variables. One thread drives a sampler at a time.
class BlockGibbs {
 public:
  using TargetLaw = mcmc::Invariant;

  /// `graph` must outlive the sampler.
  explicit BlockGibbs(const FactorGraph& graph);

  /// Draws one block. `values` has a positive probability before and after.
  void step(Assignment& values, Random& random);

  /// Variables of the last block; only their values may have changed.
  const std::vector<VariableId>& block() const { return block_; }

 private:
  void choose_block(Random& random);
  void add(VariableId v);
  VariableId any_neighbour(Random& random) const;
  VariableId closest_neighbour(Random& random) const;
  void add_slice(FactorId factor, std::size_t position, const Assignment& values, std::vector<double>& scores) const;
  void open(const Assignment& values);
  void close();
  void enumerate(std::size_t depth, double score, Assignment& values, Random& random);
  std::size_t most_constrained(const std::vector<double>& scores) const;
  void try_value(std::size_t depth, std::size_t at, Value value, double score, Assignment& values, Random& random);

  const FactorGraph* graph_;
  std::vector<VariableId> block_;
  std::vector<std::uint32_t> place_;         // [variable]: its number in block_ while it has no value; else kNone
  std::vector<std::uint32_t> open_count_;    // [factor]: variables of its scope without a value
  std::vector<std::uint32_t> ties_;          // [variable]: number of its neighbours in block_, while that grows
  std::vector<std::size_t> begin_;           // [number in block_ + 1], in a level's scores
  std::vector<std::vector<double>> levels_;  // [depth]: log scores of every value, given what is fixed at that depth
  std::vector<Value> drawn_;                 // [number in block_]
  std::size_t nodes_ = 0;
  double total_ = 0;  // log of the summed weights of everything enumerated so far
};

}  // namespace fovea::graph
