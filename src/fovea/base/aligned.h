// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fovea {

/// Rows of scores are padded to whole cache lines, so that vector code needs no tail and no row straddles two lines.
inline constexpr std::size_t kRowAlignment = 64;

/// Floats in a row that holds `count` scores: count rounded up to a multiple of 16.
constexpr std::size_t row_stride(std::size_t count) {
  constexpr std::size_t kLane = kRowAlignment / sizeof(float);
  return (count + kLane - 1) / kLane * kLane;
}

/// Size in bytes of a large memory page on x86-64 and most other architectures.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// Returns memory at a cache-line boundary, for rows that are often read at random. Memory of kLargePage bytes or more
/// begins at a large page, and the system is asked to use such pages: filling them costs few page faults, and a look-up
/// rarely misses the address cache. Throws std::bad_alloc.
void* allocate_rows(std::size_t bytes);
/// Frees memory that allocate_rows(bytes) returned.
void free_rows(void* rows, std::size_t bytes) noexcept;

/// Allocates at cache-line boundaries (see allocate_rows).
template <class T>
struct RowAllocator {
  using value_type = T;
  RowAllocator() = default;
  template <class U>
  RowAllocator(const RowAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_rows(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { free_rows(p, n * sizeof(T)); }
  template <class U>
  bool operator==(const RowAllocator<U>&) const {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, RowAllocator<T>>;

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
