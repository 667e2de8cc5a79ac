// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/branch_and_bound/soft_arc_bounds.h"

namespace fovea::graph {

/// Finds the assignment with the highest score and proves it optimal by depth-first branch and bound on SoftArcBounds:
/// for dense models of two-variable factors with many values and whole costs, where elimination orders do not help. A
/// domain of many values is halved; one of few is split into its likeliest value and the others. Variables with few
/// values, many factors and many failures are split first (Boussemart, Hemery, Lecoutre and Sais 2004, "Boosting
/// systematic search by weighting constraints").
///
/// A call of run() is a round of search in the sense of graph/local_search/searcher.h; its transitions are tables
/// looked at.
class SoftArcSearch {
 public:
  /// True if the model has only whole scores and factors of at most two variables, and the search fits the memory.
  static bool is_for(const FactorGraph& graph, std::size_t memory_bytes);

  /// is_for(graph) must hold, and `graph` must outlive the search.
  explicit SoftArcSearch(const FactorGraph& graph);

  Work run(std::uint64_t revisions, const Stop& stop);

  const ScoredAssignment& best() const { return best_; }
  void offer(const ScoredAssignment& found);
  double upper_bound() const;
  bool is_finished() const { return nodes_.empty(); }

 private:
  void expand(const Stop& stop);
  void take_supports(const SoftArcBounds& bounds);
  VariableId choose(const SoftArcBounds& bounds) const;
  void branch(const SoftArcBounds& bounds, VariableId v);
  double limit() const;

  const FactorGraph* graph_;
  SoftArcBounds::Layout layout_;
  std::vector<SoftArcBounds> nodes_;  // open, the next one last
  std::vector<double> failures_;      // [variable]
  ScoredAssignment best_;
  std::uint64_t revisions_ = 0;
};

}  // namespace fovea::graph
