// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/row_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

#include "fovea/base/aligned.h"
#include "fovea/base/error.h"

namespace fovea {
namespace {

/// Large pages are a wish: without them everything works, only slower.
void ask_for_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  ::madvise(begin, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

RowPool::RowPool(std::size_t stride) : stride_(stride) {
  FOVEA_CHECK(stride > 0 && stride % row_stride(1) == 0);
  const std::size_t rows = std::bit_floor(std::max<std::size_t>(kPage / (stride * sizeof(float)), 1));
  block_shift_ = std::countr_zero(rows);
  block_mask_ = static_cast<std::uint32_t>(rows - 1);
  block_bytes_ = (rows * stride * sizeof(float) + kPage - 1) / kPage * kPage;
}

std::uint32_t RowPool::add() {
  const auto number = static_cast<std::uint32_t>(size_);
  if (number >> block_shift_ == blocks_.size()) add_block();
  ++size_;
  std::fill_n(row(number), stride_, 0.0f);
  return number;
}

void RowPool::add_block() {
  void* block = ::operator new(block_bytes_, std::align_val_t(kPage));
  blocks_.emplace_back(static_cast<float*>(block));
  ask_for_large_pages(block, block_bytes_);
}

void RowPool::FreeBlock::operator()(float* block) const { ::operator delete(block, std::align_val_t(kPage)); }

void RowPool::clear() {
  size_ = 0;
  blocks_.clear();
}

}  // namespace fovea
