// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/golden/golden_table.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace fovea::linkage {

void check_golden_can_be_written(const std::string& path, const io::Table& table, std::size_t id_column,
                                 const ClusterColumns& columns, const GoldenOptions& golden,
                                 const io::TableWriteOptions& options) {
  check_golden_rules(table, golden.rules, golden.dates);
  check_clusters_can_be_written(path, golden_header(table), id_column, columns, options);
}

void write_golden(const std::string& path, const io::Table& table, std::size_t id_column, ClusterColumns columns,
                  const GoldenOptions& golden, const io::TableWriteOptions& options, const Run& run) {
  const GoldenRecords best = golden_records(table, columns.clusters, golden.rules, golden.dates);
  for (const std::string& warning : best.warnings) run.warn_of(warning);
  const std::vector<double> confidence = least_confidence(columns.clusters, columns.confidence);
  std::vector<std::uint32_t> own(best.table.row_count());
  std::iota(own.begin(), own.end(), 0u);
  columns.clusters = own;
  columns.confidence = confidence;
  write_clusters(path, best.table, id_column, columns, options, run.threads);
}

}  // namespace fovea::linkage
