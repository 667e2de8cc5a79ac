// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/orders.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fovea::sequence {
namespace {

class OrdersTest : public ::testing::TestWithParam<int> {
 protected:
  OrdersTest() : ngrams_(3, GetParam()), sequences_(ngrams_) {
    sequences_.reset(std::vector<std::uint32_t>{7, 0, 1, 2, 5, 1, 0, 13});
  }

  std::vector<VariableId> tokens() const {
    std::vector<VariableId> all;
    const Assignment y = sequences_.make_labeling();
    for (VariableId p = 0; p < y.size(); ++p)
      if (y[p] != ngrams_.pad()) all.push_back(p);
    return all;
  }

  LabelNgrams ngrams_;
  LabelSequences sequences_;
};

TEST_P(OrdersTest, LeftToRightListsTokensBySequence) { EXPECT_EQ(left_to_right_order(sequences_), tokens()); }

TEST_P(OrdersTest, ColourOrderListsEachTokenOnce) {
  std::vector<VariableId> order = colour_order(sequences_);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, tokens());
}

TEST_P(OrdersTest, ColoursAreResiduesSoThatNoTwoPositionsOfOneShareAWindow) {
  const auto factor_size = static_cast<VariableId>(GetParam());
  const std::vector<VariableId> order = colour_order(sequences_);
  EXPECT_EQ(order.front() % factor_size, 0u);
  EXPECT_EQ(order.back() % factor_size, factor_size - 1);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const VariableId colour = order[i] % factor_size, last = order[i - 1] % factor_size;
    EXPECT_TRUE(colour == last ? order[i] > order[i - 1] : colour == last + 1) << order[i - 1] << " " << order[i];
  }
}

INSTANTIATE_TEST_SUITE_P(FactorSizes, OrdersTest, ::testing::Range(1, 6));

}  // namespace
}  // namespace fovea::sequence
