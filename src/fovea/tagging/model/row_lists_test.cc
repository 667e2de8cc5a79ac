// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/row_lists.h"

#include <gtest/gtest.h>

#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/random.h"
#include "tests/support/instruction_sets.h"

namespace fovea::tagging::internal {
namespace {

TEST(RowLists, AddInOrderTheSameOnEveryInstructionSet) {
  Random random(1);
  for (const std::size_t stride : {16, 48, 64})
    for (const std::size_t per_sum : {1, 2, 5}) {
      constexpr std::size_t kSums = 3;
      AlignedVector<float> values(kSums * per_sum * stride), start(kSums * stride);
      for (float& x : values) x = static_cast<float>(random.normal());
      for (float& x : start) x = static_cast<float>(random.normal());
      std::vector<const float*> rows;
      for (std::size_t i = 0; i < kSums * per_sum; ++i) rows.push_back(values.data() + (i * 7 % 3) * stride);
      AlignedVector<float> expected = start;
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < stride; ++k) expected[i / per_sum * stride + k] += rows[i][k];
      fovea::testing::for_each_instruction_set([&] {
        AlignedVector<float> sums = start;
        add_row_lists(rows, per_sum, stride, sums.data());
        EXPECT_EQ(sums, expected) << stride << " " << per_sum;
      });
    }
}

TEST(RowLists, NothingToAddChangesNothing) {
  AlignedVector<float> sums(16, 1.0f);
  add_row_lists({}, 2, 16, sums.data());
  EXPECT_EQ(sums, AlignedVector<float>(16, 1.0f));
}

}  // namespace
}  // namespace fovea::tagging::internal
