// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/colour/graph_gibbs.h"
#include "fovea/graph/colour/lane_tables.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/mcmc/lane_stream.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// Gibbs sampling on any factor graph in colour order (graph/model/graph_colouring.h), the variables of a colour side
/// by side: sixteen lanes, each with its own stream of random numbers. The law of a visit is that of GraphGibbs, and so
/// are its weights: products in the linear domain, and logarithms in double where those come out too small. Variables
/// of many values, whose rows are long enough to fill vectors, are left to GraphGibbs itself.
///
/// Immutable: any number of ColourChains may share it, on any threads.
class ColourGibbs {
 public:
  using TargetLaw = mcmc::Invariant;

  /// Costs a few passes over all entries; nothing where `stop` was requested first. `graph` must outlive the result.
  static std::optional<ColourGibbs> build(const FactorGraph& graph, const Stop& stop = {});

  const FactorGraph& graph() const { return *graph_; }

 private:
  friend class ColourChain;

  /// What one stream of random numbers visits: blocks, or else wide variables, of a colour.
  struct Task {
    std::size_t begin = 0, end = 0;
    bool is_wide = false;
  };

  ColourGibbs(const FactorGraph& graph, LaneOrder order, LaneTables tables);

  const FactorGraph* graph_;
  LaneTables tables_;
  std::vector<VariableId> wide_;
  std::optional<GraphGibbs> wide_gibbs_;  // where there are any
  std::vector<Task> tasks_;
  std::vector<std::size_t> colour_begin_{0};  // [colour + 1], in tasks_
};

/// The values of all variables, in two orders.
struct LaneValues {
  AlignedVector<std::int32_t> sites;  ///< [site] of LaneTables
  Assignment assignment;              ///< [variable]
};

/// A Markov chain of ColourGibbs. What it draws depends on its random stream alone, not on threads or on the width of
/// vectors. One thread drives a chain at a time.
class ColourChain {
 public:
  using TargetLaw = ColourGibbs::TargetLaw;

  /// `gibbs` must outlive the chain.
  ColourChain(const ColourGibbs& gibbs, Assignment start, const Random& random);

  /// Visits every variable `count` times, on up to `threads` threads (0: all cores). False where `stop` was requested
  /// first: then some visits are missing.
  bool sweep(std::size_t count = 1, int threads = 1, const Stop& stop = {});

  const Assignment& values() const { return values_.assignment; }
  /// Goes on from there.
  void set_values(Assignment values);

 private:
  void run(std::size_t task);

  const ColourGibbs* gibbs_;
  LaneValues values_;
  std::vector<mcmc::LaneStream> lane_streams_;  // [task]
  std::vector<Random> wide_streams_;            // [task]
};

}  // namespace fovea::graph
