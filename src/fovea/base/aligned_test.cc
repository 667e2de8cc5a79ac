// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/aligned.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "fovea/base/error.h"

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

TEST(RowPool, KeepsWhatItsRowsHold) {
  for (const std::size_t stride : {16, 48, 64, 1 << 12, 48 << 14}) {
    RowPool pool(stride);
    const std::size_t count = stride < 100 ? 100'000 : stride < 10'000 ? 2'000 : 5;  // of several blocks
    std::vector<const float*> rows;
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(pool.add(), i);
      rows.push_back(pool.row(static_cast<std::uint32_t>(i)));
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(rows.back()) % kRowAlignment, 0u);
      for (const std::size_t k : {std::size_t{0}, stride - 1}) {
        ASSERT_EQ(rows.back()[k], 0.0f);
        pool.row(static_cast<std::uint32_t>(i))[k] = static_cast<float>(i);
      }
    }
    EXPECT_EQ(pool.size(), count);
    EXPECT_GE(pool.memory_in_bytes(), count * stride * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(pool.row(static_cast<std::uint32_t>(i)), rows[i]);
      ASSERT_EQ(rows[i][0], static_cast<float>(i));
      ASSERT_EQ(rows[i][stride - 1], static_cast<float>(i));
    }
  }
}

TEST(RowPool, BeginsAnewWithZerosWhenCleared) {
  RowPool pool(16);
  pool.row(pool.add())[3] = 1;
  pool.clear();
  EXPECT_EQ(pool.size(), 0u);
  EXPECT_EQ(pool.memory_in_bytes(), 0u);
  EXPECT_EQ(pool.row(pool.add())[3], 0.0f);
}

TEST(RowPool, RefusesRowsThatAreNotWholeCacheLines) {
  EXPECT_THROW(RowPool(0), std::logic_error);
  EXPECT_THROW(RowPool(17), std::logic_error);
}

}  // namespace
}  // namespace fovea
