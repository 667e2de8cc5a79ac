// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/clustered_records.h"

#include <fmt/format.h>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/matching/record_matching.h"

namespace fovea::linkage {
namespace {

void check_columns(const LabelledRecords& old, const std::string& clusters, const io::Table& more,
                   std::size_t id_column) {
  const std::string& id = old.table.columns()[old.id_column];
  if (more.columns()[id_column] != id)
    throw InputError(
        {.file = more.name()},
        fmt::format("ids are called '{}' here and '{}' in {}", more.columns()[id_column], id, old.table.name()),
        "Name the column of ids by --id, or rename one");
  if (more.find_column(clusters))
    throw InputError({.file = more.name()}, fmt::format("new records have a column of clusters, '{}'", clusters),
                     "Leave it out: new records have no clusters yet");
}

void check_ids(const LabelledRecords& old, std::size_t cluster_column, const io::Table& more, std::size_t id_column) {
  const io::IdIndex old_ids = io::unique_ids(old.table, old.id_column);
  io::unique_ids(more, id_column);
  Dictionary names;
  for (std::size_t row = 0; row < old.table.row_count(); ++row) names.add(old.table.cell(row, cluster_column));
  for (std::size_t row = 0; row < more.row_count(); ++row) {
    const std::string_view id = more.cell(row, id_column);
    if (old_ids.find(id))
      throw InputError(more.location(row),
                       fmt::format("{} has a record with the id '{}' already", old.table.name(), id),
                       "Give new records ids of their own; records that are there need not be given again");
    if (names.find(id) != kNoId)
      throw InputError(more.location(row),
                       fmt::format("{} has a cluster called '{}', as this record", old.table.name(), id),
                       "A new cluster is called as its first record: give it another id");
  }
}

/// [row] the first row with its label.
std::vector<std::uint32_t> first_rows(const LabelledRecords& old) {
  std::vector<std::uint32_t> first, clusters;
  for (std::uint32_t row = 0; row < old.table.row_count(); ++row) {
    const std::uint32_t label = old.labels.front()[row];
    if (label == kUnlabelled)
      throw InputError(old.table.location(row), "a record without a cluster", "Give every old record its cluster");
    if (label == first.size()) first.push_back(row);
    clusters.push_back(first[label]);
  }
  return clusters;
}

}  // namespace

ClusteredRecords append_records(const LabelledRecords& old, std::size_t cluster_column, const io::Table& more,
                                std::size_t id_column) {
  check_columns(old, old.table.columns()[cluster_column], more, id_column);
  check_ids(old, cluster_column, more, id_column);
  return {stack_tables(old.table, more), old.id_column, cluster_column, first_rows(old)};
}

}  // namespace fovea::linkage
