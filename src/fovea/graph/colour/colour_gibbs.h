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

/// Gibbs sampling on any factor graph in colour order (graph/model/graph_colouring.h). Variables of one colour are
/// visited side by side, in sixteen lanes with a stream of random numbers each. The law of a visit is that of
/// GraphGibbs, and so are its weights: products in the linear domain, or logarithms in double if those are too small.
/// Variables of many values, whose rows are long enough to fill vectors, are left to GraphGibbs itself.
///
/// Immutable: any number of ColourChains may share it, on any threads.
class ColourGibbs {
 public:
  using TargetLaw = mcmc::Invariant;

  /// Costs a few passes over all entries. Returns nothing if `stop` was requested first. `graph` must outlive the
  /// result.
  static std::optional<ColourGibbs> build(const FactorGraph& graph, const Stop& stop = {});

  const FactorGraph& graph() const { return *graph_; }

 private:
  friend class ColourChain;

  /// Part of a colour that one stream of random numbers visits: either blocks or wide variables.
  struct Task {
    std::size_t begin = 0, end = 0;
    bool is_wide = false;
  };

  ColourGibbs(const FactorGraph& graph, LaneOrder order, LaneTables tables);

  const FactorGraph* graph_;
  LaneTables tables_;
  std::vector<VariableId> wide_;
  std::optional<GraphGibbs> wide_gibbs_;  // if there are any
  std::vector<Task> tasks_;
  std::vector<std::size_t> colour_begin_{0};  // [colour + 1], in tasks_
};

/// The values of all variables, in two orders.
struct LaneValues {
  AlignedVector<std::int32_t> sites;  ///< [site] of LaneTables
  Assignment assignment;              ///< [variable]
};

/// Markov chain of ColourGibbs. Its draws depend only on its random stream, not on threads or on the width of vectors.
/// One thread drives a chain at a time.
class ColourChain {
 public:
  using TargetLaw = ColourGibbs::TargetLaw;

  /// `gibbs` must outlive the chain.
  ColourChain(const ColourGibbs& gibbs, Assignment start, const Random& random);

  /// Visits every variable `count` times, on up to `threads` threads (0: all cores). Returns false if `stop` was
  /// requested first: then some visits are missing.
  bool sweep(std::size_t count = 1, int threads = 1, const Stop& stop = {});

  const Assignment& values() const { return values_.assignment; }
  /// Replaces the values; the chain continues from there.
  void set_values(Assignment values);

 private:
  void run(std::size_t task);

  const ColourGibbs* gibbs_;
  LaneValues values_;
  std::vector<mcmc::LaneStream> lane_streams_;  // [task]
  std::vector<Random> wide_streams_;            // [task]
};

}  // namespace fovea::graph
