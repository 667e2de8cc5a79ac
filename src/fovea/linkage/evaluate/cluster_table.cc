// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/cluster_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/io/table/unique_ids.h"

namespace fovea::linkage {
namespace {

void refuse_two_roles(const io::Table& table, std::vector<std::size_t> columns) {
  std::ranges::sort(columns);
  const auto twice = std::ranges::adjacent_find(columns);
  if (twice == columns.end()) return;
  throw InputError({.file = table.name()},
                   fmt::format("column '{}' cannot be two of id, clusters and gold labels", table.columns()[*twice]),
                   "Name the columns: option 'id', option 'clusters-column', option 'gold'");
}

void refuse_missing_clusters(const LabelledRecords& records) {
  const auto missing = std::ranges::find(records.labels.front(), kUnlabelled);
  if (missing == records.labels.front().end()) return;
  throw InputError(records.table.location(static_cast<std::size_t>(missing - records.labels.front().begin())),
                   "a record without a cluster",
                   "Give every record a cluster; option 'clusters-column' names the column, else it is the last");
}

/// Finds the row of `other`, by its index, with the id of a row of `records`.
std::size_t find_record(const LabelledRecords& records, std::size_t row, const io::IdIndex& index,
                        const io::Table& other) {
  const std::string_view id = records.table.cell(row, records.id_column);
  if (const auto found = index.find(id)) return *found;
  throw InputError(records.table.location(row), fmt::format("{} has no record with the id '{}'", other.name(), id),
                   "Give both files the same records; the gold label of a record may be missing");
}

/// The gold label of each record.
std::vector<std::uint32_t> join(const LabelledRecords& records, const LabelledRecords& gold) {
  const io::IdIndex ids = io::unique_ids(records.table, records.id_column);
  if (&records == &gold) return gold.labels.back();
  const io::IdIndex gold_ids = io::unique_ids(gold.table, gold.id_column);
  std::vector<std::uint32_t> labels(records.table.row_count());
  for (std::size_t row = 0; row < labels.size(); ++row)
    labels[row] = gold.labels.back()[find_record(records, row, gold_ids, gold.table)];
  // Ids are unique, so if both tables have the same number of them, they are the same.
  if (gold.table.row_count() > labels.size())
    for (std::size_t row = 0; row < gold.table.row_count(); ++row) find_record(gold, row, ids, records.table);
  return labels;
}

}  // namespace

std::vector<std::uint32_t> number_labels(const io::Table& table, std::size_t column) {
  Dictionary names;
  std::vector<std::uint32_t> labels(table.row_count());
  for (std::size_t row = 0; row < labels.size(); ++row)
    labels[row] = table.is_missing(row, column) ? kUnlabelled : names.add(table.cell(row, column));
  return labels;
}

LabelledRecords read_labels(const std::string& path, const std::string& id_column,
                            const std::vector<std::string>& label_columns, const io::TableReadOptions& options,
                            int threads) {
  LabelledRecords records{.table = io::read_table(path, options, threads), .labels = {}};
  const io::Table& table = records.table;
  if (table.row_count() == 0)
    throw InputError({.file = table.name()}, "a table without records",
                     "The first line names the columns; it is not a record");
  if (!id_column.empty()) records.id_column = table.column(id_column);
  std::vector<std::size_t> columns = {records.id_column};
  for (const std::string& name : label_columns)
    columns.push_back(name.empty() ? table.column_count() - 1 : table.column(name));
  refuse_two_roles(table, columns);
  for (std::size_t i = 1; i < columns.size(); ++i) records.labels.push_back(number_labels(table, columns[i]));
  return records;
}

ClusterMetrics score_labels(const LabelledRecords& records, const LabelledRecords& gold) {
  refuse_missing_clusters(records);
  const ClusterMetrics metrics = score_clusters(records.labels.front(), join(records, gold));
  if (metrics.records == 0)
    throw InputError({.file = gold.table.name()}, "no record has a gold label",
                     "Name the column of gold labels by option 'gold'");
  return metrics;
}

namespace {

constexpr const char* kConfidence = "confidence";

/// Order of the columns: the id first, then the others in their order, without that of old clusters.
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
          fmt::format("{} has a column '{}' already; name the column of clusters by option 'cluster-column', or "
                      "rename that one",
                      table.name(), names[i]));
  return names;
}

/// Types of the same columns. Clusters are called after ids and, if there were old clusters, after these.
std::vector<io::ColumnType> column_types(const io::Table& table, std::span<const std::size_t> order,
                                         const ClusterColumns& columns) {
  std::vector<io::ColumnType> types;
  for (const std::size_t column : order) types.push_back(io::column_type(table, column));
  if (!columns.confidence.empty()) types.push_back(io::ColumnType::kReal);
  const io::ColumnType of_ids = types.front();
  const bool is_mixed = columns.names && io::column_type(table, *columns.names) != of_ids;
  types.push_back(is_mixed ? io::ColumnType::kMixed : of_ids);
  return types;
}

}  // namespace

void check_clusters_can_be_written(const std::string& path, const io::Table& table, std::size_t id_column,
                                   const ClusterColumns& columns, const io::TableWriteOptions& options) {
  const std::vector<std::size_t> order = column_order(table, id_column, columns.names);
  io::check_table_can_be_written(path, column_names(table, order, columns), options);
}

void write_clusters(const std::string& path, const io::Table& table, std::size_t id_column,
                    const ClusterColumns& columns, const io::TableWriteOptions& options, int threads) {
  const std::vector<std::size_t> order = column_order(table, id_column, columns.names);
  const auto writer =
      io::make_table_writer(path, column_names(table, order, columns), options, column_types(table, order, columns));
  const auto make = [&](std::size_t row, io::TableWriter::Row& made) {
    for (const std::size_t column : order) {
      made.cells.push_back(table.cell(row, column));
      made.json.push_back(table.json(row, column));
    }
    if (!columns.confidence.empty()) {
      made.own = std::isnan(columns.confidence[row]) ? "" : fmt::format("{:.4f}", columns.confidence[row]);
      made.cells.push_back(made.own);
      made.json.push_back(made.own);
    }
    const std::uint32_t first = columns.clusters[row];
    const bool has_name = columns.names && !table.is_missing(first, *columns.names);
    const std::size_t name_column = has_name ? *columns.names : id_column;
    made.cells.push_back(table.cell(first, name_column));
    made.json.push_back(table.json(first, name_column));
  };
  writer->add_rows(table.row_count(), make, threads);
  writer->finish();
}

ClusterWriter::ClusterWriter(const std::string& path, const io::Table& part, std::size_t id_column,
                             const std::string& name, bool has_confidence, const io::TableWriteOptions& options)
    : order_(column_order(part, id_column, std::nullopt)), has_confidence_(has_confidence) {
  const double any = 0;
  const ClusterColumns columns = {.clusters = {}, .confidence = {&any, has_confidence ? 1U : 0U}, .name = name};
  writer_ = io::make_table_writer(path, column_names(part, order_, columns), options);
}

ClusterWriter::~ClusterWriter() = default;

void ClusterWriter::add(const io::Table& part, std::size_t row, std::string_view cluster, double confidence) {
  cells_.clear();
  for (const std::size_t column : order_) cells_.push_back(part.cell(row, column));
  const std::string shown = has_confidence_ && !std::isnan(confidence) ? fmt::format("{:.4f}", confidence) : "";
  if (has_confidence_) cells_.push_back(shown);
  cells_.push_back(cluster);
  writer_->add_row(cells_);
}

void ClusterWriter::finish() { writer_->finish(); }

}  // namespace fovea::linkage
