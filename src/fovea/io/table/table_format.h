// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "fovea/base/words.h"

namespace fovea::io {

/// The file format of a table.
enum class TableFormat {
  kAuto,  ///< by the name, or else by the first bytes
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

/// The format by the ending of the name, where .gz, .xz and .zst are ignored: .csv; .tsv, .tab; .jsonl, .ndjson, .json;
/// .db, .sqlite, .sqlite3. nullopt for other endings.
std::optional<TableFormat> table_format_of_name(std::string_view path);

}  // namespace fovea::io
