// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/data/sequence_rows.h"

#include <gtest/gtest.h>

#include <vector>

namespace fovea::gp {
namespace {

TEST(SequenceRowsTest, AreThoseOfTheItems) {
  Sequences all;
  all.features.columns = {4, 5, 6, 7};
  all.features.values = {1, 2, 3, 4};
  all.features.offsets = {0, 2, 2, 3, 4};
  all.begin = {0, 1, 3, 4};
  all.labels = {0, 1, 0, 1};
  all.label_count = 2;
  RowMatrix m(4, 1);
  m << 10, 20, 30, 40;
  const std::vector<std::size_t> which = {2, 0};
  const Sequences part = sequences_at(all, which);
  EXPECT_EQ(part.begin, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(part.features.offsets, (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(part.features.columns, (std::vector<std::uint32_t>{7, 4, 5}));
  EXPECT_EQ(part.features.values, (std::vector<float>{4, 1, 2}));
  EXPECT_EQ(part.labels, (std::vector<Value>{1, 0}));
  EXPECT_EQ(part.label_count, 2u);
  const RowMatrix rows = rows_of_sequences(m, all, which);
  EXPECT_EQ(rows(0, 0), 40);
  EXPECT_EQ(rows(1, 0), 10);
  EXPECT_EQ(sequence_rows(m, all, 1)(1, 0), 30);
}

}  // namespace
}  // namespace fovea::gp
