// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_set.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "fovea/io/table/table.h"

namespace fovea::io {

/// Index of rows by the id in one of their columns.
class IdIndex {
 public:
  std::optional<std::size_t> find(std::string_view id) const;

 private:
  friend IdIndex unique_ids(const Table& table, std::size_t column);
  IdIndex(const Table& table, std::size_t column);

  /// Rows are hashed and compared by their ids, which stay in the table.
  struct Ids {
    const Table* table;
    std::size_t column;
    std::string_view text(std::string_view id) const { return id; }
    std::string_view text(std::uint32_t row) const { return table->cell(row, column); }
  };
  struct Hash : Ids {
    std::size_t operator()(const auto& id) const { return std::hash<std::string_view>()(text(id)); }
  };
  struct Equal : Ids {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const { return text(a) == text(b); }
  };
  static constexpr bool kStoreHashes = true;  // ids are looked at only where hashes agree
  tsl::robin_set<std::uint32_t, Hash, Equal, std::allocator<std::uint32_t>, kStoreHashes> rows_;
};

/// An index of the column's cells, each of which names one row; valid as long as the table, which must neither move nor
/// grow. Throws InputError for a missing id, and for an id that two rows share, naming both rows.
IdIndex unique_ids(const Table& table, std::size_t column);

}  // namespace fovea::io
