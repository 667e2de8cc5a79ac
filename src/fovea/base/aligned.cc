// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/aligned.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

#include "fovea/base/error.h"

namespace fovea {
namespace {

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t(bytes >= kLargePage ? kLargePage : kRowAlignment);
}

}  // namespace

void* allocate_rows(std::size_t bytes) {
  void* rows = ::operator new(bytes, alignment_of(bytes));
#ifdef MADV_HUGEPAGE
  // Only a hint: without it everything still works, but more slowly.
  if (bytes >= kLargePage) ::madvise(rows, bytes, MADV_HUGEPAGE);
#endif
  return rows;
}

void free_rows(void* rows, std::size_t bytes) noexcept { ::operator delete(rows, alignment_of(bytes)); }

RowPool::RowPool(std::size_t stride) : stride_(stride) {
  FOVEA_CHECK(stride > 0 && stride % row_stride(1) == 0);
  const std::size_t rows = std::bit_floor(std::max<std::size_t>(kLargePage / (stride * sizeof(float)), 1));
  block_shift_ = std::countr_zero(rows);
  block_mask_ = static_cast<std::uint32_t>(rows - 1);
  block_floats_ = (rows * stride * sizeof(float) + kLargePage - 1) / kLargePage * kLargePage / sizeof(float);
}

std::uint32_t RowPool::add() {
  const auto number = static_cast<std::uint32_t>(size_++);
  if (number >> block_shift_ == blocks_.size()) {
    blocks_.emplace_back().reserve(block_floats_);
#ifdef MADV_NOHUGEPAGE
    // Small jobs use a small part of the first block: a large page would cost them a millisecond.
    if (number == 0) ::madvise(blocks_.front().data(), block_floats_ * sizeof(float), MADV_NOHUGEPAGE);
#endif
  }
  AlignedVector<float>& block = blocks_.back();
  block.resize(block.size() + stride_);  // never past what was reserved, so the rows stay
  return number;
}

void RowPool::clear() {
  size_ = 0;
  blocks_.clear();
}

}  // namespace fovea
