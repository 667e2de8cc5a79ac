// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

}  // namespace fovea
