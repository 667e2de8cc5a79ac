// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/graph/branch_and_bound/mini_buckets.h"
#include "fovea/graph/branch_and_bound/pseudo_tree.h"

namespace fovea::graph {

/// Scores and bounds that a search down a pseudo tree reads at each variable, laid out for that: the scores of factors
/// that become complete there, and the bounds of the subtrees below. `values` holds a value for every variable above,
/// and for the root.
class SubproblemBounds {
 public:
  /// The tables are read in place: all arguments must outlive it, and the buckets given to set_bounds() must not change
  /// before its next call.
  SubproblemBounds(const PseudoTree& tree, const std::vector<ScopedTable>& factors);

  /// Takes the messages of complete buckets; earlier messages are forgotten.
  void set_bounds(const MiniBuckets& buckets);

  /// scores[k] = the sum of the factors whose lowest variable is v, at v = k. v may be the root.
  void own_scores(VariableId v, std::span<const Value> values, std::span<double> scores) const {
    sum_rows(own_[v], values, scores);
  }
  /// bounds[k]: no assignment of the subtree of `child` scores more when its parent is k.
  void child_bounds(VariableId child, std::span<const Value> values, std::span<double> bounds) const {
    sum_rows(below_[child], values, bounds);
  }

 private:
  /// A table's row over one variable, found from the values of the others.
  struct Row {
    const double* entries = nullptr;
    std::size_t stride = 0;            // of the variable; 0 if the table does not depend on it
    std::uint32_t begin = 0, end = 0;  // its terms
  };
  struct Term {
    VariableId variable = 0;
    std::size_t stride = 0;
  };
  struct Rows {
    std::vector<Row> rows;
    std::vector<Term> terms;
  };
  void add(const ScopedTable& table, VariableId along, Rows& rows) const;
  static void sum_rows(const Rows& rows, std::span<const Value> values, std::span<double> sums);

  const PseudoTree* tree_;
  std::vector<Rows> own_;    // [variable or root]
  std::vector<Rows> below_;  // [variable]: messages that leave its subtree
};

}  // namespace fovea::graph
