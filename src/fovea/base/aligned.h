// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace fovea {

/// Rows of scores are padded to whole cache lines, so that vector code needs no tail and no row straddles two lines.
inline constexpr std::size_t kRowAlignment = 64;

/// Floats in a row that holds `count` scores: count rounded up to a multiple of 16.
constexpr std::size_t row_stride(std::size_t count) {
  constexpr std::size_t kLane = kRowAlignment / sizeof(float);
  return (count + kLane - 1) / kLane * kLane;
}

/// Allocates at cache-line boundaries.
template <class T>
struct RowAllocator {
  using value_type = T;
  RowAllocator() = default;
  template <class U>
  RowAllocator(const RowAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(kRowAlignment))); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(kRowAlignment)); }
  template <class U>
  bool operator==(const RowAllocator<U>&) const {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, RowAllocator<T>>;

}  // namespace fovea
