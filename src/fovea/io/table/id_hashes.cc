// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/id_hashes.h"

#include <algorithm>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"

namespace fovea::io {

void IdHashes::add(const Table& part, std::size_t column) {
  for (std::size_t row = 0; row < part.row_count(); ++row) {
    if (part.is_missing(row, column))
      throw InputError(part.location(row), "a record without an id", "Give every record an id of its own");
    hashes_.push_back(hash_text(part.cell(row, column)));
  }
}

std::unordered_set<std::uint64_t> IdHashes::repeated() && {
  std::ranges::sort(hashes_);
  std::unordered_set<std::uint64_t> found;
  for (std::size_t i = 1; i < hashes_.size(); ++i)
    if (hashes_[i] == hashes_[i - 1]) found.insert(hashes_[i]);
  hashes_ = {};
  return found;
}

}  // namespace fovea::io
