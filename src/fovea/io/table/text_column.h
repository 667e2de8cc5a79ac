// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::io {

/// The cells of one column, row after row: their bytes laid end to end, in blocks of rows that are as large as their
/// text, so that nothing is moved when the column grows. Takes four bytes per cell in addition to the text.
class TextColumn {
 public:
  static constexpr std::size_t kMaxCellBytes = std::size_t{1} << 22;

  /// `cell`: at most kMaxCellBytes.
  void append(std::string_view cell);

  std::size_t size() const { return size_; }
  /// Valid until the next append().
  std::string_view operator[](std::size_t row) const {
    const Block& block = blocks_[row / kBlockRows];
    const std::size_t at = row % kBlockRows;
    return {block.bytes.data() + block.ends[at], block.ends[at + 1] - block.ends[at]};
  }

  std::size_t memory_in_bytes() const;

 private:
  static constexpr std::size_t kBlockRows = 512;  // times kMaxCellBytes, this fits in 32 bits
  struct Block {
    std::string bytes;
    std::vector<std::uint32_t> ends = {0};  // ends[i + 1]: end in `bytes` of row i of the block
  };
  void begin_block();

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace fovea::io
