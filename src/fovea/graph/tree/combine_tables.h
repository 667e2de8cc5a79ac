// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fovea::graph::internal {

/// A table over some of the variables of a cluster; strides are per variable of the cluster, 0 for the others.
struct StridedTable {
  const double* table = nullptr;
  std::vector<std::size_t> strides = {};
};

/// Adds up small tables whose sum has few entries compared with the cluster, so that each joint value of the cluster is
/// a sum of fewer terms. Returns the tables to add up instead; `storage` takes the sums and must live as long. Log
/// domain.
std::vector<StridedTable> combine_tables(std::span<const std::size_t> cardinalities, std::vector<StridedTable> tables,
                                         std::vector<std::vector<double>>& storage);

}  // namespace fovea::graph::internal
