// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/label_rows.h"

#include <gtest/gtest.h>

#include <random>

#include "fovea/base/aligned.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {
namespace {

SparseRows random_rows(std::size_t columns, std::vector<std::size_t> lengths, bool with_values) {
  std::mt19937 engine(3);
  SparseRows rows;
  for (const std::size_t length : lengths) {
    for (std::size_t i = 0; i < length; ++i) {
      rows.columns.push_back(static_cast<std::uint32_t>(engine() % columns));
      if (with_values) rows.values.push_back(static_cast<float>(engine() % 7) - 3);
    }
    rows.end_row();
  }
  return rows;
}

class RowSumsTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RowSumsTest, AgreesWithPlainLoops) {
  const std::size_t stride = GetParam(), columns = 40;
  std::mt19937 engine(5);
  AlignedVector<float> table(columns * stride);
  for (float& v : table) v = static_cast<float>(engine() % 1000) / 1000;
  for (const bool with_values : {false, true}) {
    const SparseRows rows = random_rows(columns, {0, 1, 5, 700, 0, 3}, with_values);
    for (const EntryPower power : {EntryPower::kValue, EntryPower::kSquare}) {
      AlignedVector<float> sums(4 * stride, -1.0f);
      sum_rows(rows, 1, 5, table.data(), stride, sums.data(), power);
      for (std::size_t r = 1; r < 5; ++r)
        for (std::size_t k = 0; k < stride; ++k) {
          double expected = 0;
          for (std::uint32_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e)
            expected += (power == EntryPower::kSquare ? rows.value(e) * rows.value(e) : rows.value(e)) *
                        double{table[rows.columns[e] * stride + k]};
          EXPECT_NEAR(sums[(r - 1) * stride + k], expected, 2e-3);
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Strides, RowSumsTest, ::testing::Values(16, 64, 80));

TEST(RowSums, LongRowsLoseLittlePrecision) {
  constexpr std::size_t kEntries = 1 << 22;
  SparseRows rows;
  rows.columns.assign(kEntries, 0);
  rows.end_row();
  AlignedVector<float> table(16, .1f), sum(16);
  sum_rows(rows, 0, 1, table.data(), 16, sum.data());
  // Added one by one, the rounding errors of the last million terms alone would come to thousands.
  EXPECT_NEAR(sum[0], kEntries * double{.1f}, .001 * kEntries * .1);
}

TEST(Transpose, ExchangesRowsAndColumns) {
  const SparseRows rows = {.offsets = {0, 2, 2, 5}, .columns = {3, 1, 1, 0, 1}, .values = {1, 2, 3, 4, 5}};
  const SparseRows expected = {.offsets = {0, 1, 4, 4, 5}, .columns = {2, 0, 2, 2, 0}, .values = {4, 2, 3, 5, 1}};
  const SparseRows result = transpose(rows, 4);
  EXPECT_EQ(result.offsets, expected.offsets);
  EXPECT_EQ(result.columns, expected.columns);
  EXPECT_EQ(result.values, expected.values);
  EXPECT_EQ(transpose({}, 0).offsets, std::vector<std::uint32_t>{0});
  EXPECT_EQ(transpose({}, 3).offsets, (std::vector<std::uint32_t>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace fovea::sequence
