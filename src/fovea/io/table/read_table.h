// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/words.h"
#include "fovea/io/table/table.h"

namespace fovea::io {

/// Separator of cells.
enum class Delimiter { kAuto, kTab, kComma, kSemicolon, kBar };
constexpr auto words_of(Delimiter) {
  using enum Delimiter;
  return std::array{Word{kAuto, "auto"}, Word{kTab, "tab"}, Word{kComma, "comma"}, Word{kSemicolon, "semicolon"},
                    Word{kBar, "bar"}};
}

struct TableReadOptions {
  TableFormat format = TableFormat::kAuto;
  Delimiter delimiter = Delimiter::kAuto;
  std::string encoding = "utf-8";
  bool no_header = false;
  std::string table = "";
  std::vector<std::string> missing = {};

  static void describe(auto&& visit) {
    visit(&TableReadOptions::format,
          option("format", "Format of the table; auto decides by the name, or else by the first bytes."));
    visit(&TableReadOptions::delimiter, option("delimiter",
                                               "Separator of cells; auto is the first of tab, comma, semicolon and bar "
                                               "that the header holds, and a tab in .tsv."));
    visit(&TableReadOptions::no_header, option("no-header", "The first line is a row; columns are called x1, x2, ..."));
    visit(&TableReadOptions::encoding,
          option("encoding",
                 "Encoding of text: utf-8, latin1, windows-1252, utf-16 or any that iconv knows. UTF-16 and UTF-32 are "
                 "also known by their byte order mark."));
    visit(&TableReadOptions::table,
          option("table", "Table or view of the database to read; needed only if it has several."));
    visit(&TableReadOptions::missing,
          option("missing", "Cells that count as missing, in addition to empty ones.", "TEXT"));
  }
};

/// Reads a table: delimited text, JSON lines (all packed or not; both on up to `threads` threads, 0: all cores) or a
/// table of an SQLite database. "-" is standard input, which cannot be a database. Throws InputError (file:line or
/// rowid) for what the readers refuse, and UsageError for invalid options.
Table read_table(const std::string& path, const TableReadOptions& options = {}, int threads = 1);

}  // namespace fovea::io
