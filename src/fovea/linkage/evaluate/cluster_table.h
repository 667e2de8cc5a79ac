// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fovea/io/table/table.h"
#include "fovea/io/table/table_writer.h"

namespace fovea::linkage {

/// What is written of each record, beside its own columns.
struct ClusterColumns {
  std::span<const std::uint32_t> clusters;          ///< [row] the first row of its cluster
  std::span<const double> confidence = {};          ///< [row] probability, not a number where unknown; or none
  std::string name = "cluster";                     ///< of the column; one of the table that is called so is `names`
  std::optional<std::size_t> names = std::nullopt;  ///< column of names that clusters have already
};

/// Throws what write_clusters would throw for this table and path, before it takes hours to find clusters.
void check_clusters_can_be_written(const std::string& path, const io::Table& table, std::size_t id_column,
                                   const ClusterColumns& columns, const io::TableWriteOptions& options = {});

/// Writes a table's records with the id first, the other columns as they were, the confidence if there is one and the
/// cluster last. A cluster keeps the name that it has; others are called as their first record. Throws UsageError if
/// the table has another column of a name that is needed, and what make_table_writer throws.
void write_clusters(const std::string& path, const io::Table& table, std::size_t id_column,
                    const ClusterColumns& columns, const io::TableWriteOptions& options = {});

}  // namespace fovea::linkage
