// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "fovea/io/table/table.h"

namespace fovea::io {

/// The ids of a table that is read part by part, of which 8 bytes each are kept.
class IdHashes {
 public:
  /// Throws InputError for a record without an id.
  void add(const Table& part, std::size_t column);

  /// Hashes that several ids have: of those that occur twice, and rarely of others. Ends the object.
  std::unordered_set<std::uint64_t> repeated() &&;

 private:
  std::vector<std::uint64_t> hashes_;
};

}  // namespace fovea::io
