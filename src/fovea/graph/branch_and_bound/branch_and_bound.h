// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/branch_and_bound/and_or_search.h"
#include "fovea/graph/branch_and_bound/bound_cache.h"
#include "fovea/graph/branch_and_bound/join_graph_shifting.h"
#include "fovea/graph/branch_and_bound/mini_buckets.h"
#include "fovea/graph/branch_and_bound/pseudo_tree.h"
#include "fovea/graph/branch_and_bound/subproblem_bounds.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

struct BranchAndBoundOptions {
  /// Memory for the tables of bounds and the cache of subproblems, half for each; the tree and the search path come on
  /// top.
  std::size_t memory_bytes = std::size_t{1} << 30;
};

/// Finds the assignment with the highest score and proves it optimal, also where junction trees would be too wide:
/// AND/OR search over the pseudo tree of an elimination order, guided by mini-bucket bounds. Starts with small tables
/// of bounds; if a number of nodes in proportion to their size brings no proof, larger ones are made, up to the memory
/// limit. Solved subproblems stay solved. Call simplify_max first.
///
/// A call of run() is a round of search in the sense of graph/local_search/searcher.h; its transitions are nodes.
/// Without a deadline, node counts and outcome depend only on the rounds. One thread at a time.
class BranchAndBound {
 public:
  /// order: an elimination order of all variables. `graph` must outlive it. Throws LimitError if the order's contexts
  /// alone would exceed the memory, or if `stop` was requested before everything was set up.
  BranchAndBound(const FactorGraph& graph, std::span<const VariableId> order, const BranchAndBoundOptions& options = {},
                 const Stop& stop = {});

  /// Searches on until about `nodes` more nodes are expanded, the proof is complete or `stop` is requested.
  Work run(std::uint64_t nodes, const Stop& stop);

  const ScoredAssignment& best() const { return best_; }
  /// Offers an assignment found elsewhere. It is ignored unless it is better than best(); then everything that cannot
  /// beat it is pruned.
  void offer(const ScoredAssignment& found);
  /// No assignment scores more than this, up to tolerance().
  double upper_bound() const { return upper_bound_; }
  /// True if best() is optimal or no assignment is possible.
  bool is_finished() const { return is_finished_; }
  /// Scores that differ by less than this count as equal: 1e-9 of the magnitude of the model's scores.
  double tolerance() const { return tolerance_; }

 private:
  std::uint64_t node_count() const { return search_.node_count() + reader_.node_count(); }
  bool shift_costs(const Stop& stop);
  bool make_bounds(const Stop& stop);
  void search(std::uint64_t nodes, const Stop& stop);
  void extract(std::uint64_t nodes, const Stop& stop);
  void dive(const Stop& stop);
  void offer_values_read();
  void lower_upper_bound(double bound);

  const FactorGraph* graph_;
  double tolerance_;
  PseudoTree tree_;
  std::vector<ScopedTable> factors_;  // of the graph; then the clusters that replace them
  std::unique_ptr<JoinGraphShifting> shifting_;
  int sweeps_left_;
  double shifted_bound_;
  std::size_t max_bound_entries_, bound_entries_;
  std::unique_ptr<MiniBuckets> buckets_;
  SubproblemBounds bounds_;
  BoundCache cache_;
  AndOrSearch search_, reader_;  // reader_: reads assignments off what the search has learned
  bool has_bounds_ = false, is_finished_ = false;
  std::uint64_t stage_end_ = 0;  // node count at which larger tables are made
  std::uint64_t next_dive_ = 0;  // node count at which the bounds are next followed down to an assignment
  std::size_t extracted_ = 0;    // variables of tree_.top_down() whose optimal value is known, once the root is solved
  bool is_root_solved_ = false;
  ScoredAssignment best_;
  double upper_bound_;
};

}  // namespace fovea::graph
