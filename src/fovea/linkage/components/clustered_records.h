// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/evaluate/cluster_table.h"

namespace fovea::linkage {

/// Clustered records and new ones behind them, in one table.
struct ClusteredRecords {
  io::Table table;
  std::size_t id_column = 0, cluster_column = 0;
  std::vector<std::uint32_t> clusters;  ///< [old row] the first row of its cluster

  std::uint32_t old_count() const { return static_cast<std::uint32_t>(clusters.size()); }
};

/// Lays `more` behind `old`, whose first labels are its clusters in the column `cluster_column`. Columns meet by name.
/// Throws InputError (file:line) for an id that both have or that is an old cluster's name, a record of `old` without a
/// cluster, a cluster in `more`, and ids that lie in columns of two names.
ClusteredRecords append_records(const LabelledRecords& old, std::size_t cluster_column, const io::Table& more,
                                std::size_t id_column);

}  // namespace fovea::linkage
