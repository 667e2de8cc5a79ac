// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "fovea/base/words.h"

namespace fovea::io {

/// The format of a file of a table.
enum class TableFormat {
  kAuto,  ///< by the name, else by the first bytes
  kCsv,
  kTsv,
  kJsonLines,
  kSqlite,
};
constexpr auto words_of(TableFormat) {
  using enum TableFormat;
  return std::array{Word{kAuto, "auto"}, Word{kCsv, "csv"}, Word{kTsv, "tsv"}, Word{kJsonLines, "jsonl"},
                    Word{kSqlite, "sqlite"}};
}

/// By the ending of the name but for .gz, .xz or .zst: .csv; .tsv, .tab; .jsonl, .ndjson, .json; .db, .sqlite,
/// .sqlite3. None for others.
std::optional<TableFormat> table_format_of_name(std::string_view path);

}  // namespace fovea::io
