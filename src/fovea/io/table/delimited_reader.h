// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/stream.h"
#include "fovea/io/table/table.h"
#include "fovea/io/table/text_encoding.h"

namespace fovea::io {

struct DelimitedFormat {
  static constexpr char kFromHeader = '\0';  ///< the first of tab, comma, semicolon and bar that the header holds
  char delimiter = kFromHeader;              ///< or one of these four
  std::string encoding = "utf-8";
  bool has_header = true;  ///< otherwise the first row is data, and columns are called x1, x2, ...
  char comment = '\0';     ///< lines that begin with it are skipped; none by default, as such a line may be a row
};

/// The separator that a first line such as sep=; names, in double quotes or not; nullopt for any other line.
std::optional<char> separator_named_by(std::string_view line);

/// Reads rows of cells that are separated by a delimiter. The first line that is not empty names the columns, unless
/// the format says that there is no header; every other row has the same number of cells. Before that, a line "sep=;",
/// as Excel reads it, may name the delimiter. Empty lines are skipped. Blanks around a cell do not belong to it.
///
/// Quotes follow RFC 4180: a cell in double quotes may hold delimiters, line ends, blanks and, doubled, quotes; a line
/// end in it reads as "\n". In tab-separated text nothing is quoted, and a quote is an ordinary character.
///
/// Refuses, with InputError (file:line): rows whose length differs from the header's, columns with the same name,
/// quotes that do not close within LineReader::kMaxLineBytes or are followed by anything but a delimiter, bytes that
/// are not valid in the encoding, and what LineReader refuses.
class DelimitedReader {
 public:
  /// Reads the header. Throws InputError for an empty file.
  explicit DelimitedReader(LineReader lines, const DelimitedFormat& format = {});
  /// Reads rows of the file that `file` reads, without a header; `is_last`: nothing follows them.
  DelimitedReader(LineBlock rows, const DelimitedReader& file, bool is_last);
  /// Takes rows off, for a reader of their own (LineReader::next_block); the last may be cut within a quoted cell.
  bool next_block(LineBlock& rows) { return lines_.next_block(rows); }

  const std::vector<std::string>& columns() const { return columns_; }
  char delimiter() const { return delimiter_; }

  /// True before the first row of a file without a header, which is read already: cells() has it.
  bool has_first_row() const { return has_first_row_; }
  /// Moves to the next row; false at the end, and if only a part of a row is left (is_unfinished).
  bool next();
  /// True if the row that begins at line_number() was cut within a quoted cell: to be read with the rows that follow.
  bool is_unfinished() const { return is_unfinished_; }
  /// The cells of the row, valid until next(); none holds more than TextColumn::kMaxCellBytes.
  std::span<const std::string_view> cells() const { return cells_; }
  /// Number of the line on which the row begins.
  std::uint64_t line_number() const { return line_number_; }
  InputLocation location() const { return {.file = lines_.name(), .line = line_number_}; }

 private:
  void take_separator();
  bool next_line();
  void split(std::string_view line);
  void split_quoted(std::string_view line);
  std::size_t take_quoted(std::string_view& line, std::size_t at);
  bool is_cut() const { return !is_last_ && text_.size() < LineReader::kMaxLineBytes; }

  LineReader lines_;
  std::string encoding_;
  LineDecoder decoder_;
  char delimiter_, comment_;
  bool has_header_;
  std::vector<std::string> columns_;
  std::uint64_t line_number_ = 0;
  std::string_view line_;                // decoded
  std::vector<std::string_view> cells_;  // into the line or, if anything is quoted, into text_
  std::string text_;                     // the cells of a row with quotes, laid end to end
  std::vector<std::size_t> ends_;        // ends of the cells in text_
  bool is_last_ = true, is_unfinished_ = false, has_first_row_ = false;
};

/// The whole table, read on up to `threads` threads. Cells that equal one of `missing` are missing.
Table read_delimited(LineReader lines, const DelimitedFormat& format = {}, const std::vector<std::string>& missing = {},
                     int threads = 1);

}  // namespace fovea::io
