// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table.h"

namespace fovea::io {

/// A file of delimited text, packed or not, read as parts of some rows each, in order: for tables that are larger than
/// the memory.
class TableParts {
 public:
  /// Throws what read_table() throws, and UsageError for standard input, which cannot be read twice, and for other
  /// formats.
  TableParts(const std::string& path, const TableReadOptions& options, std::size_t rows);
  ~TableParts();

  /// Makes `part` the next one, which has the same columns and at most the number of rows; false at the end. Throws as
  /// read_table() does.
  bool next(Table& part);

 private:
  struct Source;
  std::unique_ptr<Source> source_;
  std::size_t rows_;
};

}  // namespace fovea::io
