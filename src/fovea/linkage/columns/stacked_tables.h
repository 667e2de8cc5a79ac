// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// Columns that have another name in some tables: "dob=born, \"Last name\"=surname" calls dob born and Last name
/// surname.
class ColumnMap {
 public:
  ColumnMap() = default;
  /// Throws UsageError for a text that is not such a list, and for a column that is named twice.
  explicit ColumnMap(std::string_view text);

  /// Names of the table's columns, of which those on the left are replaced. A table that has the column on the right
  /// already keeps its names.
  std::vector<std::string> names(const io::Table& table) const;

  /// Throws UsageError if an entry changes none of the tables.
  void check_used(std::span<const io::Table* const> tables) const;

 private:
  struct Entry {
    std::string name, other;
    bool changes(const io::Table& table) const { return table.find_column(name) && !table.find_column(other); }
  };
  std::vector<Entry> entries_;
};

/// Lays tables end to end, with the columns of all, matched by their names in `map`. Rows keep their locations.
io::Table stack_tables(std::span<const io::Table* const> tables, const ColumnMap& map = {});
io::Table stack_tables(const io::Table& first, const io::Table& second);

}  // namespace fovea::linkage
