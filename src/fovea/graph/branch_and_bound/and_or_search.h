// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/branch_and_bound/bound_cache.h"
#include "fovea/graph/branch_and_bound/pseudo_tree.h"
#include "fovea/graph/branch_and_bound/subproblem_bounds.h"

namespace fovea::graph {

/// Maximises the subtree below a variable of a pseudo tree, with the variables above it fixed, by recursive best-first
/// AND/OR search with overestimation (Kishimoto & Marinescu, UAI 2014). The search always continues below the value
/// with the highest bound, stays there until that bound falls below the second highest by more than `overestimation`,
/// and leaves bounds behind in a cache of bounded size. So it expands nodes in the order of best-first search but
/// remembers a single path; a full cache costs only repeated work.
///
///   bound(v = k) = own score of v at k + sum over children c of v: bound(c)      (AND)
///   bound(v)     = max over k: bound(v = k), solved if the best k is              (OR)
class AndOrSearch {
 public:
  struct Result {
    double bound = 0;        ///< no assignment of the subtree scores more
    bool is_solved = false;  ///< ... and one scores exactly this
    Value value = 0;         ///< of the variable: attains the bound
  };

  /// All arguments must outlive the search. Bounds that differ by less than `tolerance` (> 0) count as equal.
  AndOrSearch(const PseudoTree& tree, const SubproblemBounds& bounds, BoundCache& cache, double overestimation,
              double tolerance);

  /// A value for every variable and the root; those above the searched subtree are read, those inside it are
  /// overwritten.
  std::span<Value> values() { return values_; }

  /// Starts to search the subtree of v (or of the root), until it is solved or its bound is at most `threshold`.
  void start(VariableId v, double threshold);
  /// Continues until that is done (true), or until node_count() reaches `max_nodes` or `stop` is requested (false).
  bool advance(std::uint64_t max_nodes, const Stop& stop);
  bool is_active() const { return !frames_.empty(); }
  /// Upper bound known so far for the subtree that the search started with.
  double bound() const;
  /// Ends the search and returns what is known; everything it learned stays in the cache.
  Result finish();

  /// Bounds v by the bounds of its values in the cache, without searching.
  Result look(VariableId v);

  /// Number of variables expanded so far, a deterministic measure of work.
  std::uint64_t node_count() const { return node_count_; }

 private:
  /// A variable on the current path. Its arrays begin at these places in doubles_, flags_ and keys_:
  ///   doubles: own score [value], bound [value], bound of child [child][value]
  ///   flags: whether the cache was asked [value], whether the child is solved [child][value]
  ///   keys: key of each child, without the value of this variable
  struct Frame {
    VariableId variable = 0;
    double threshold = 0;
    SubproblemKey key = {};
    std::uint64_t start_count = 0;
    std::size_t doubles = 0, flags = 0, keys = 0;
    std::size_t child = 0;  // the one being searched, at values_[variable]
  };
  struct Ranking {
    Value best = 0;
    double first = 0, second = 0;
  };

  std::size_t cardinality(const Frame& frame) const { return tree_->cardinalities()[frame.variable]; }
  const double* value_bounds(const Frame& frame) const { return doubles_.data() + frame.doubles + cardinality(frame); }
  double* child_bounds(const Frame& frame, std::size_t child) {
    return doubles_.data() + frame.doubles + (2 + child) * cardinality(frame);
  }
  char* child_flags(const Frame& frame, std::size_t child) {
    return flags_.data() + frame.flags + (1 + child) * cardinality(frame);
  }
  const SubproblemKey& pair_key(VariableId v, Value k) const { return pair_keys_[pair_begin_[v] + k]; }
  SubproblemKey context_key(VariableId v, VariableId without) const;

  void open(VariableId v, double threshold, const SubproblemKey& key);
  void ask_cache(const Frame& frame, Value k);
  void add_up(const Frame& frame, Value k);
  Ranking rank(const Frame& frame) const;
  bool is_solved(const Frame& frame, Value k);
  void step();
  void close(const Ranking& ranking);

  const PseudoTree* tree_;
  const SubproblemBounds* bounds_;
  BoundCache* cache_;
  double overestimation_, tolerance_;
  std::vector<std::size_t> pair_begin_;  // [variable]
  std::vector<SubproblemKey> pair_keys_, variable_keys_;
  Assignment values_;
  std::vector<Frame> frames_;
  std::vector<double> doubles_;
  std::vector<char> flags_;
  std::vector<SubproblemKey> keys_;
  Result result_;
  std::uint64_t node_count_ = 0;
};

}  // namespace fovea::graph
