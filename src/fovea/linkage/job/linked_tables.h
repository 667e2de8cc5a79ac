// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/columns/stacked_tables.h"
#include "fovea/linkage/matching/labelled_pairs.h"
#include "fovea/linkage/matching/record_matching.h"

namespace fovea::linkage {

/// Tables whose records are linked, laid end to end.
class LinkedTables {
 public:
  /// ids: [table] the column of its ids; nullopt: records go by their rows. Throws InputError for a table without
  /// records, and for ids that are missing or not unique; UsageError for a map that changes nothing.
  LinkedTables(std::vector<const io::Table*> tables, const std::vector<std::optional<std::size_t>>& ids,
               const ColumnMap& map);
  LinkedTables(const LinkedTables&) = delete;  // what reads `stacked` refers to it

  const io::Table& stacked() const { return stacked_; }
  std::size_t size() const { return tables_.size(); }
  const io::Table& table(std::size_t t) const { return *tables_[t]; }
  const PairScope& scope() const { return scope_; }

  std::uint32_t table_of(std::uint32_t row) const { return static_cast<std::uint32_t>(scope_.table_of(row)); }
  /// The row in its own table.
  std::uint32_t own_row(std::uint32_t row) const;
  /// The record's id, in quotes, or its row, for messages.
  std::string name_of(std::uint32_t row) const;
  std::string_view id(std::uint32_t row) const;
  /// The row of a record of a table, laid end to end.
  std::optional<std::size_t> find(std::size_t t, std::string_view id) const { return names(t).find(id); }
  /// Names of the records of the first two tables. Throws UsageError if there are more: a pair does not name its
  /// tables.
  PairNames pair_names() const;

  /// Columns that no proposal may use: ids, and those that some table lacks.
  std::vector<std::string> columns_not_shared() const;
  /// Throws InputError for a table that lacks a column that is compared.
  void check_columns(const RecordMatching& matching) const;
  /// [row] numbers of the cells of a column, which all tables must have; kUnlabelled for missing ones.
  std::vector<std::uint32_t> labels(const std::string& column) const;

 private:
  RecordNames names(std::size_t t) const;
  std::uint32_t begin(std::size_t t) const { return t == 0 ? 0 : scope_.boundaries[t - 1]; }
  /// Throws InputError if the table has no column of this name, or of one that the map calls so.
  void check_column(std::size_t t, std::string_view name) const;

  std::vector<const io::Table*> tables_;
  std::vector<std::optional<std::size_t>> id_columns_;
  std::vector<std::optional<io::IdIndex>> ids_;
  std::vector<std::vector<std::string>> columns_;  // [table] names, as the map has them
  io::Table stacked_;
  PairScope scope_{PairScope::Kind::kAcross, {}};
};

}  // namespace fovea::linkage
