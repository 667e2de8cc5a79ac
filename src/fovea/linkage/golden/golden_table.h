// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/io/table/table.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/golden/golden_records.h"
#include "fovea/linkage/golden/golden_rule.h"
#include "fovea/linkage/similarity/date_format.h"

namespace fovea::linkage {

struct GoldenOptions {
  std::vector<GoldenRule> rules;  ///< [column]
  DateFormat dates = {};
};

/// Throws what write_golden() would throw for this table and path, before hours are spent on finding clusters.
void check_golden_can_be_written(const std::string& path, const io::Table& table, std::size_t id_column,
                                 const ClusterColumns& columns, const GoldenOptions& golden,
                                 const io::TableWriteOptions& options);

/// Writes the golden record of each cluster instead of its records: as write_clusters() does, with cluster_size before
/// the confidence, which is the least of its records'. Passes warnings on.
void write_golden(const std::string& path, const io::Table& table, std::size_t id_column, ClusterColumns columns,
                  const GoldenOptions& golden, const io::TableWriteOptions& options, const Run& run);

}  // namespace fovea::linkage
