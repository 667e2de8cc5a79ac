// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/output_file.h"
#include "fovea/io/stream.h"

namespace fovea {

/// Reads comma-separated values as RFC 4180 has them: cells in double quotes may hold commas and, doubled, quotes. A
/// cell ends with its line. The first line names the columns; every other has as many cells.
class CsvReader {
 public:
  /// Throws InputError for an empty file and for two columns of one name.
  explicit CsvReader(ByteSource source);

  const std::vector<std::string>& columns() const { return columns_; }

  /// Moves to the next row, past empty lines; false at the end. Throws InputError (file:line) for a wrong number of
  /// cells and for quotes that do not close or are followed by anything but a comma.
  bool next();
  const std::vector<std::string>& cells() const { return cells_; }
  InputLocation location() const { return lines_.location(); }

 private:
  void split(std::string_view line, std::vector<std::string>& cells) const;

  LineReader lines_;
  std::vector<std::string> columns_, cells_;
};

/// Writes one row, quoting what needs it.
void write_csv_row(const std::vector<std::string>& cells, OutputFile& output);

}  // namespace fovea
