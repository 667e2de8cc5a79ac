// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/cluster_table.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

constexpr const char* kConfidence = "confidence";

/// The id first, the others in their order, but for that of old clusters.
std::vector<std::size_t> column_order(const io::Table& table, std::size_t id_column, std::optional<std::size_t> names) {
  std::vector<std::size_t> order = {id_column};
  for (std::size_t column = 0; column < table.column_count(); ++column)
    if (column != id_column && column != names) order.push_back(column);
  return order;
}

std::vector<std::string> column_names(const io::Table& table, std::span<const std::size_t> order,
                                      const ClusterColumns& columns) {
  std::vector<std::string> names;
  for (const std::size_t column : order) names.push_back(table.columns()[column]);
  if (!columns.confidence.empty()) names.emplace_back(kConfidence);
  names.push_back(columns.name);
  for (std::size_t i = order.size(); i < names.size(); ++i)
    if (const auto found = table.find_column(names[i]); found && found != columns.names)
      throw UsageError(
          fmt::format("{} has a column '{}' already; name the column of clusters by --cluster-column, or "
                      "rename that one",
                      table.name(), names[i]));
  return names;
}

}  // namespace

void check_clusters_can_be_written(const std::string& path, const io::Table& table, std::size_t id_column,
                                   const ClusterColumns& columns, const io::TableWriteOptions& options) {
  const std::vector<std::size_t> order = column_order(table, id_column, columns.names);
  io::check_table_can_be_written(path, column_names(table, order, columns), options);
}

void write_clusters(const std::string& path, const io::Table& table, std::size_t id_column,
                    const ClusterColumns& columns, const io::TableWriteOptions& options) {
  const std::vector<std::size_t> order = column_order(table, id_column, columns.names);
  const auto writer = io::make_table_writer(path, column_names(table, order, columns), options);
  std::vector<std::string_view> cells, json;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    cells.clear();
    json.clear();
    for (const std::size_t column : order) {
      cells.push_back(table.cell(row, column));
      json.push_back(table.json(row, column));
    }
    std::string confidence;
    if (!columns.confidence.empty()) {
      if (!std::isnan(columns.confidence[row])) confidence = fmt::format("{:.4f}", columns.confidence[row]);
      cells.push_back(confidence);
      json.push_back(confidence);
    }
    const std::uint32_t first = columns.clusters[row];
    const bool has_name = columns.names && !table.is_missing(first, *columns.names);
    const std::size_t name_column = has_name ? *columns.names : id_column;
    cells.push_back(table.cell(first, name_column));
    json.push_back(table.json(first, name_column));
    writer->add_row(cells, json);
  }
  writer->finish();
}

}  // namespace fovea::linkage
