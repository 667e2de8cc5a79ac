// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/tables/block_elimination.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// Limits on the size of a block.
struct BlockLimits {
  std::size_t variables = 1000;
  std::size_t bag_entries = std::size_t{1} << 14;  ///< of the table of one variable and its parents
  std::size_t entries = std::size_t{1} << 16;      ///< of all its tables: bounds the time of a move
};

/// Moves whole blocks of variables at once, exactly, given the rest (Jensen, Kong and Kjaerulff 1995, "Blocking Gibbs
/// sampling"; Hamze and de Freitas 2004, "From fields to trees").
///
/// A block grows from a seed: a random variable next to it is taken in if its neighbours in the block lie in one bag
/// (BlockElimination), so that no table outgrows its bag. On a lattice, blocks are random trees that hold more than
/// half of the variables they reach; where factors are large or dense, blocks are small, down to the seed alone. Growth
/// looks at no value, so sampling leaves the model's law invariant.
///
/// If the rest breaks a hard constraint whatever the block does, sampling changes nothing. A workspace.
class BlockKernel {
 public:
  using TargetLaw = mcmc::Invariant;

  /// With a finite `penalty`, every broken constraint costs that much, as in SoftTables; the law is then that of the
  /// softened model. `graph` must outlive the kernel.
  explicit BlockKernel(const FactorGraph& graph, const BlockLimits& limits = {},
                       double penalty = std::numeric_limits<double>::infinity());

  /// Grows a new block from `seed`; returns its variables.
  template <class R>
  std::span<const VariableId> grow(VariableId seed, R& random) {
    begin_block();
    if (!seen_[seed]) add_to_frontier(seed);
    while (!frontier_.empty() && has_room()) {
      std::swap(frontier_[random.uniform_index(static_cast<std::uint32_t>(frontier_.size()))], frontier_.back());
      const VariableId v = frontier_.back();
      frontier_.pop_back();
      take_in(v);
    }
    return block_;
  }

  /// Draws the block's values from p(block | rest)^inverse_temperature, normalised.
  template <class R>
  void sample(Assignment& values, R& random, double inverse_temperature = 1) {
    fill_tables(values, inverse_temperature);
    tables_.eliminate_by_sum();
    draw_values(values, [&](std::span<const double> row) { return draw(row, random); });
  }

  /// Gives the block its best values given the rest.
  void maximise(Assignment& values);

  /// A Gibbs step: for each seed of the batch, a block is grown and resampled.
  template <class R>
  void step(Assignment& values, std::span<const VariableId> seeds, R& random) {
    for (const VariableId seed : seeds) {
      grow(seed, random);
      sample(values, random);
    }
  }

 private:
  static constexpr BlockElimination::Place kOutside = std::numeric_limits<BlockElimination::Place>::max();

  void begin_block();
  void add_to_frontier(VariableId v);
  bool has_room() const { return block_.size() < limits_.variables && tables_.entry_count() < limits_.entries; }
  void take_in(VariableId v);
  void fill_tables(const Assignment& values, double inverse_temperature);
  void add_factor(BlockElimination::Place p, FactorId f, const Assignment& values);

  template <class R>
  Value draw(std::span<const double> row, R& random) {
    const double best = *std::ranges::max_element(row);
    weights_.resize(row.size());
    std::ranges::transform(row, weights_.begin(), [&](double score) { return std::exp(score - best); });
    return static_cast<Value>(random.categorical(std::span<const double>(weights_)));
  }

  template <class Choose>
  void draw_values(Assignment& values, const Choose& choose) {
    drawn_.clear();
    for (BlockElimination::Place p = 0; p < block_.size(); ++p) {
      const std::span<const double> row = tables_.row(p, drawn_);
      if (*std::ranges::max_element(row) == -std::numeric_limits<double>::infinity()) return;
      drawn_.push_back(choose(row));
    }
    for (std::size_t i = 0; i < block_.size(); ++i) values[block_[i]] = drawn_[i];
  }

  const FactorGraph* graph_;
  BlockLimits limits_;
  double penalty_;
  BlockElimination tables_;
  std::vector<VariableId> block_;               // [place]
  std::vector<BlockElimination::Place> place_;  // [variable] or kOutside
  std::vector<std::uint8_t> seen_;              // [variable] in the block, its frontier, or refused
  std::vector<VariableId> frontier_, touched_;  // touched_: all that are seen_
  std::vector<BlockElimination::Place> parents_;
  std::vector<std::size_t> strides_;
  std::vector<double> row_;  // scores of one place by factors with no other variable in the block
  Assignment drawn_;         // [place]
  std::vector<double> weights_;
};

}  // namespace fovea::graph
