// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table.h"
#include "fovea/io/table/table_writer.h"
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

/// Reads a table of any format (read_table). An id column called "" is the first column, a label column called "" the
/// last. Throws InputError (file:line) for a column that is missing or has two roles, and for a table without records.
LabelledRecords read_labels(const std::string& path, const std::string& id_column,
                            const std::vector<std::string>& label_columns, const io::TableReadOptions& options = {},
                            int threads = 1);

/// Scores clusters (the first labels of `records`) by gold labels (the last ones of `gold`, which may be the same
/// object), joined by id. Throws InputError (file:line) for an id that is missing or belongs to two records, a record
/// without a cluster, a record that only one of the two has, and for gold labels that are all missing.
ClusterMetrics score_labels(const LabelledRecords& records, const LabelledRecords& gold);

/// Columns to write for each record, in addition to its own.
struct ClusterColumns {
  std::span<const std::uint32_t> clusters;          ///< [row] the first row of its cluster
  std::span<const double> confidence = {};          ///< [row] probability, NaN where unknown; or empty
  std::string name = "cluster";                     ///< of the column; the table may have it only as `names`
  std::optional<std::size_t> names = std::nullopt;  ///< column of the names of old clusters
};

/// Throws what write_clusters() would throw for this table and path, before hours are spent on finding clusters.
void check_clusters_can_be_written(const std::string& path, const io::Table& table, std::size_t id_column,
                                   const ClusterColumns& columns, const io::TableWriteOptions& options = {});

/// Writes a table's records with the id first, the other columns as they were, the confidence if given, and the cluster
/// last. A cluster that has a name keeps it; others are named after their first record. Throws UsageError if the table
/// has another column with a name that is needed, and what make_table_writer() throws.
void write_clusters(const std::string& path, const io::Table& table, std::size_t id_column,
                    const ClusterColumns& columns, const io::TableWriteOptions& options = {}, int threads = 1);

/// Writes the same row by row, for tables that come in parts.
class ClusterWriter {
 public:
  /// `part`: some part of the table, for its columns. name: of the column of clusters. Throws as write_clusters() does.
  ClusterWriter(const std::string& path, const io::Table& part, std::size_t id_column, const std::string& name,
                bool has_confidence, const io::TableWriteOptions& options = {});
  ~ClusterWriter();

  /// cluster: its name. confidence: NaN where unknown.
  void add(const io::Table& part, std::size_t row, std::string_view cluster, double confidence);
  /// Nothing may be added afterwards.
  void finish();

 private:
  std::vector<std::size_t> order_;
  bool has_confidence_;
  std::unique_ptr<io::TableWriter> writer_;
  std::vector<std::string_view> cells_;
};

}  // namespace fovea::linkage
