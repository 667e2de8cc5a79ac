// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/tree/cluster_tree.h"

namespace fovea::graph {

/// Marginals of a graph's distribution, with log Z; probabilities in the linear domain.
struct GraphMarginals {
  double log_z = -std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> variables = {};  ///< [variable][value]
  std::vector<std::vector<double>> scopes = {};     ///< [scope asked for][joint value, the last variable fastest]
};

/// Exact answers by messages in a cluster tree (Shafer and Shenoy 1990; Lauritzen and Spiegelhalter 1988).
///
/// Messages are tables over separators in the log domain; the joint values of a cluster are computed row by row when
/// they are needed and never stored. Sums are scaled entry by entry by the largest term, so -inf is legal everywhere
/// and nothing under- or overflows. Marginals come from a downward pass in the linear domain, scaled by log Z.
///
/// `conditions` has a value for every variable of the graph; only those that the tree conditions on count, and it may
/// be empty if the tree conditions on no variable. All methods throw LimitError if stopped; nothing is kept between
/// calls.
class JunctionTree {
 public:
  /// Keeps references to the graph and the tree. Methods throw LimitError before they start if their messages would
  /// need more than `memory_limit` bytes. They use up to `threads` threads (0: all cores), and give the same result at
  /// any number of them.
  JunctionTree(const FactorGraph& graph, const ClusterTree& tree,
               double memory_limit = std::numeric_limits<double>::infinity(), int threads = 1)
      : graph_(graph), tree_(tree), memory_limit_(memory_limit), threads_(threads) {}

  /// log of the sum over all assignments of exp(score): -inf if none is feasible.
  double log_partition(const Stop& stop = {}, std::span<const Value> conditions = {}) const;

  /// A whole assignment of the highest score. Throws InfeasibleError if none is feasible.
  ScoredAssignment maximise(const Stop& stop = {}, std::span<const Value> conditions = {}) const;

  /// The same, but over the tree's maximised variables only, with the others summed out: values are meaningful for the
  /// maximised ones (others are 0), score is the log of that sum. The maximum of the sums if the order eliminates the
  /// summed variables first, otherwise no less than that (Park and Darwiche 2003, "Solving MAP exactly using systematic
  /// search", section 3). not found() if none is feasible.
  ScoredAssignment maximise_sum(const Stop& stop = {}, std::span<const Value> conditions = {}) const;

  /// Marginals of all variables in the tree (of the others: 1 at the condition) and of any scopes that lie in one
  /// cluster each, as the scopes of all factors do. Throws InfeasibleError if no assignment is feasible, and
  /// std::invalid_argument for a scope in no cluster.
  GraphMarginals marginals(const Stop& stop = {}, std::span<const Value> conditions = {},
                           std::span<const std::vector<VariableId>> scopes = {}) const;

 private:
  const FactorGraph& graph_;
  const ClusterTree& tree_;
  double memory_limit_;
  int threads_;
};

namespace internal {
class ClusterMessages;
}

/// Exact, independent draws from a graph's distribution: sums are passed up a cluster tree once, then each draw goes
/// from the roots down (Dawid 1992, "Applications of a general propagation algorithm for probabilistic expert
/// systems").
class JunctionDraws {
 public:
  /// Keeps references, and the messages: tree.message_bytes(). Throws LimitError if they need more than `memory_limit`
  /// bytes or if stopped, and InfeasibleError if no assignment is feasible.
  JunctionDraws(const FactorGraph& graph, const ClusterTree& tree, double memory_limit, int threads, const Stop& stop);
  ~JunctionDraws();
  JunctionDraws(JunctionDraws&&) noexcept;

  /// A draw of all variables of the tree. May be called from several threads, with a generator each.
  Assignment draw(Random& random) const;

 private:
  std::unique_ptr<internal::ClusterMessages> messages_;
};

}  // namespace fovea::graph
