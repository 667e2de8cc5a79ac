// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/branch_and_bound/mini_buckets.h"
#include "fovea/graph/branch_and_bound/pseudo_tree.h"

namespace fovea::graph {

/// Gathers factors in clusters, the mini-buckets of a pseudo tree, and moves scores between clusters that share
/// variables so that the sum of the clusters' maxima, an upper bound on the model's score, falls. The sum of the
/// clusters stays the same for every assignment, up to rounding, so they can replace the factors.
///
/// Join-graph linear programming (Ihler, Flerova, Dechter & Otten, Join-graph based cost-shifting schemes, 2012,
/// algorithm 2: clusters on either side of a separator get equal max-marginals over it), in a different order: a sweep
/// first goes up the tree, where each cluster passes its whole max-marginal to the one above it, as mini-bucket
/// elimination does, and then down, where clusters share equally. No step raises the bound.
class JoinGraphShifting {
 public:
  /// `max_entries`: about the entries of all clusters together, each cluster's divided by the number of values of its
  /// variable.
  JoinGraphShifting(const PseudoTree& tree, const std::vector<ScopedTable>& factors, std::size_t max_entries);

  /// Returns false if `stop` cut the sweep short; the clusters are a reparametrisation in either case.
  bool sweep(const Stop& stop);

  /// Sum of the clusters' maxima.
  double bound() const;
  const std::vector<ScopedTable>& clusters() const { return clusters_; }

 private:
  struct Separator {
    std::vector<VariableId> scope = {};
    std::vector<std::size_t> clusters = {};  // either one below another, or all mini-buckets of one variable
    bool goes_up = false;
  };
  bool push_up(const Separator& separator, const Stop& stop);
  bool balance(const Separator& separator, const Stop& stop);
  void add(const Separator& separator, std::size_t i, const std::vector<double>& gains);

  const PseudoTree* tree_;
  std::vector<ScopedTable> clusters_;
  std::vector<Separator> separators_;  // from the leaves to the root
};

}  // namespace fovea::graph
