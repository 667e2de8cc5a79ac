// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/apps/coreference/cluster_metrics.h"
#include "fovea/feature/dictionary.h"

namespace fovea {

/// Some columns of a table of records: ids, each of one record only, and labels.
struct LabelledRecords {
  std::string file;
  Dictionary ids;                                  ///< of record r: ids.text(r)
  std::vector<std::uint64_t> lines;                ///< [record], 1-based
  std::vector<std::vector<std::uint32_t>> labels;  ///< [column][record], numbered; kUnlabelled for an empty cell
};

/// Reads a table: CSV, or cells between tabs where the name ends in .tsv (before .gz, .xz, .zst); the first line names
/// the columns; - is standard input. An id column called "" is the first, a label column called "" the last. Throws
/// InputError (file:line) for a column that is missing or has two roles, an id that came before, no records, and what
/// is no table.
LabelledRecords read_labels(const std::string& path, const std::string& id_column,
                            const std::vector<std::string>& label_columns);

/// Scores clusters, the first labels of `records`, by gold labels, the last ones of `gold`, which may be the same
/// object, joined by id. Throws InputError (file:line) for a record without a cluster, a record that only one of the
/// two has, and if there is no gold label at all.
ClusterMetrics score_labels(const LabelledRecords& records, const LabelledRecords& gold);

}  // namespace fovea
