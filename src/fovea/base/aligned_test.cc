// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/aligned.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace fovea {
namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(AlignedVector, BeginsAtACacheLineAndWhenLargeAtALargePage) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, kLargePage - 1, kLargePage, 3 * kLargePage + 5}) {
    const AlignedVector<char> vector(bytes, 'x');
    EXPECT_EQ(address(vector.data()) % (bytes >= kLargePage ? kLargePage : kRowAlignment), 0u) << bytes;
  }
}

TEST(AlignedVector, KeepsItsValuesWhileItGrowsToLargePages) {
  AlignedVector<std::uint32_t> vector;
  const std::size_t count = 2 * kLargePage / sizeof(std::uint32_t);
  for (std::size_t i = 0; i < count; ++i) vector.push_back(static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(vector[i], i);
}

TEST(RowStride, IsThatOfWholeCacheLines) {
  EXPECT_EQ(row_stride(0), 0u);
  EXPECT_EQ(row_stride(1), 16u);
  EXPECT_EQ(row_stride(16), 16u);
  EXPECT_EQ(row_stride(17), 32u);
}

}  // namespace
}  // namespace fovea
