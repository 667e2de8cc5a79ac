// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table_format.h"

namespace fovea::io {
namespace {

struct NamedFormat {
  std::string_view name;
  TableFormat format;
};

constexpr NamedFormat kEndings[] = {
    {"csv", TableFormat::kCsv},         {"tsv", TableFormat::kTsv},          {"tab", TableFormat::kTsv},
    {"jsonl", TableFormat::kJsonLines}, {"ndjson", TableFormat::kJsonLines}, {"json", TableFormat::kJsonLines},
    {"db", TableFormat::kSqlite},       {"sqlite", TableFormat::kSqlite},    {"sqlite3", TableFormat::kSqlite},
};

}  // namespace

std::optional<TableFormat> table_format_of_name(std::string_view path) {
  for (const std::string_view packing : {".gz", ".xz", ".zst"})
    if (path.ends_with(packing)) path.remove_suffix(packing.size());
  const std::size_t dot = path.find_last_of("./");
  for (const auto& [ending, format] : kEndings)
    if (dot != path.npos && path[dot] == '.' && path.substr(dot + 1) == ending) return format;
  return std::nullopt;
}

}  // namespace fovea::io
