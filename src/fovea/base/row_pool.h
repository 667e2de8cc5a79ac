// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/aligned.h"

namespace fovea {

/// A growing set of rows of floats, numbered 0, 1, ..., which never move: they lie in blocks of whole large pages (see
/// allocate_rows), and growth copies nothing.
class RowPool {
 public:
  /// Rows of `stride` floats, stride a positive multiple of 16 (see row_stride).
  explicit RowPool(std::size_t stride);

  std::size_t stride() const { return stride_; }
  std::size_t size() const { return size_; }

  /// Appends a row of zeros; returns its number.
  std::uint32_t add();

  /// 64-byte aligned; valid until clear().
  float* row(std::uint32_t number) {
    return blocks_[number >> block_shift_].data() + std::size_t{number & block_mask_} * stride_;
  }
  const float* row(std::uint32_t number) const { return const_cast<RowPool*>(this)->row(number); }

  /// Forgets all rows and gives the memory back.
  void clear();

  std::size_t memory_in_bytes() const { return blocks_.size() * block_floats_ * sizeof(float); }

 private:
  std::size_t stride_;
  int block_shift_ = 0;  // log2 of the rows of a block
  std::uint32_t block_mask_ = 0;
  std::size_t block_floats_ = 0;
  std::size_t size_ = 0;
  std::vector<AlignedVector<float>> blocks_;  // with reserved memory; the last one is filled row by row
};

}  // namespace fovea
