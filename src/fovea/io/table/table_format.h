// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace fovea::io {

enum class TableFormat { kCsv, kTsv, kJsonLines, kSqlite };

/// By the ending of the name but for .gz, .xz or .zst: .csv; .tsv, .tab; .jsonl, .ndjson, .json; .db, .sqlite,
/// .sqlite3. None for others.
std::optional<TableFormat> table_format_of_name(std::string_view path);

/// "csv", "tsv", "jsonl" or "sqlite", as options have it; none for "auto". Throws UsageError for others.
std::optional<TableFormat> parse_table_format(std::string_view name);

}  // namespace fovea::io
