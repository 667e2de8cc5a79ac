// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/io/table/read_table.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"

namespace fovea::linkage {

/// A table of records with labels: clusters, gold entities, or both.
struct LabelledRecords {
  io::Table table;
  std::size_t id_column = 0;
  std::vector<std::vector<std::uint32_t>> labels;  ///< [label column][row], numbered; kUnlabelled for a missing cell
};

/// [row]: the column's cells, numbered in order of appearance; kUnlabelled for a missing one.
std::vector<std::uint32_t> number_labels(const io::Table& table, std::size_t column);

/// Reads a table of any format (read_table). An id column called "" is the first, a label column called ""
/// the last. Throws InputError (file:line) for a column that is missing or has two roles, and for no records.
LabelledRecords read_labels(const std::string& path, const std::string& id_column,
                            const std::vector<std::string>& label_columns, const io::TableReadOptions& options = {});

/// Scores clusters, the first labels of `records`, by gold labels, the last ones of `gold`, which may be the same
/// object, joined by id. Throws InputError (file:line) for an id that is missing or of two records, a record without a
/// cluster, a record that only one of the two has, and if there is no gold label at all.
ClusterMetrics score_labels(const LabelledRecords& records, const LabelledRecords& gold);

}  // namespace fovea::linkage
