// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/unique_ids.h"

#include <fmt/format.h>

#include <limits>

#include "fovea/base/error.h"

namespace fovea::io {

IdIndex::IdIndex(const Table& table, std::size_t column)
    : rows_(table.row_count(), Hash{{&table, column}}, Equal{{&table, column}}) {
  FOVEA_CHECK(table.row_count() <= std::numeric_limits<std::uint32_t>::max());
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view id = table.cell(row, column);
    if (id.empty())
      throw InputError(table.location(row), fmt::format("no id in the column '{}'", table.columns()[column]),
                       "Give every row an id, or name another column");
    const auto [at, is_new] = rows_.insert(static_cast<std::uint32_t>(row));
    if (is_new) continue;
    const InputLocation first = table.location(*at);
    throw InputError(table.location(row),
                     fmt::format("the id '{}' is also that of {}", id,
                                 first.line > 0 ? fmt::format("line {}", first.line) : fmt::format("'{}'", first.file)),
                     "Give every row its own id");
  }
}

std::optional<std::size_t> IdIndex::find(std::string_view id) const {
  const auto at = rows_.find(id);
  if (at == rows_.end()) return std::nullopt;
  return *at;
}

IdIndex unique_ids(const Table& table, std::size_t column) { return {table, column}; }

}  // namespace fovea::io
