// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/text_column.h"

#include "fovea/base/error.h"

namespace fovea::io {

void TextColumn::append(std::string_view cell) {
  FOVEA_CHECK(cell.size() <= kMaxCellBytes);
  if (size_ % kBlockRows == 0) begin_block();
  Block& block = blocks_.back();
  block.bytes += cell;
  block.ends.push_back(static_cast<std::uint32_t>(block.bytes.size()));
  ++size_;
}

void TextColumn::begin_block() {
  if (!blocks_.empty()) blocks_.back().bytes.shrink_to_fit();
  blocks_.emplace_back().ends.reserve(kBlockRows + 1);
}

std::size_t TextColumn::memory_in_bytes() const {
  std::size_t bytes = blocks_.capacity() * sizeof(Block);
  for (const Block& block : blocks_) bytes += block.bytes.capacity() + block.ends.capacity() * sizeof(std::uint32_t);
  return bytes;
}

}  // namespace fovea::io
