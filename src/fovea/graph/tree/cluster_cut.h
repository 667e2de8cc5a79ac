// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fovea::graph::internal {

/// A table over some variables of a cluster, to which something is added for each joint value of the cluster.
struct AddedTable {
  double* table;
  std::size_t entries;
  std::vector<std::size_t> strides;  ///< per variable of the cluster, 0 for those that it does not depend on
};

/// Way to cut the joint values of a cluster into parts for several threads: each has one joint value of some of the
/// variables. Parts that add to the same entries of a table need copies of it.
struct ClusterCut {
  std::vector<std::size_t> places = {};  ///< of these variables in the cluster
  std::size_t parts = 1;

  /// Cuts along variables among the first `outside` for which least must be copied, until there are about `wanted`
  /// parts, or more than `most_copied` entries would be copied.
  static ClusterCut find(std::span<const std::size_t> cardinalities, std::size_t outside,
                         std::span<const AddedTable> tables, std::size_t wanted, double most_copied);

  /// True if no two parts add to the same entry of the table.
  bool is_apart(const AddedTable& table) const;
  /// Entries that each part copies.
  std::size_t count_copied(std::span<const AddedTable> tables) const;
  /// A list of something for each variable, in the order in which parts run through them: first those of the cut.
  std::vector<std::size_t> in_order(std::span<const std::size_t> of_variables) const;
};

}  // namespace fovea::graph::internal
