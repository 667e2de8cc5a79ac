// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/orders.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fovea {
namespace {

class OrdersTest : public ::testing::TestWithParam<int> {
 protected:
  OrdersTest() : ngrams_(3, GetParam()), chains_(ngrams_) {
    chains_.reset(std::vector<std::uint32_t>{7, 0, 1, 2, 5, 1, 0, 13});
  }

  std::vector<VariableId> tokens() const {
    std::vector<VariableId> all;
    const Assignment y = chains_.make_labeling();
    for (VariableId p = 0; p < y.size(); ++p)
      if (y[p] != ngrams_.pad()) all.push_back(p);
    return all;
  }

  LabelNgrams ngrams_;
  Chains chains_;
};

TEST_P(OrdersTest, LeftToRightListsTokensBySequence) { EXPECT_EQ(left_to_right_order(chains_), tokens()); }

TEST_P(OrdersTest, ColourOrderListsEachTokenOnce) {
  std::vector<VariableId> order = colour_order(chains_);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, tokens());
}

TEST_P(OrdersTest, WithinAColourNoTwoPositionsShareAWindow) {
  const std::vector<VariableId> order = colour_order(chains_);
  int colours = 1;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i] < order[i - 1]) ++colours;  // a colour lists its positions left to right
    else EXPECT_GE(order[i] - order[i - 1], static_cast<VariableId>(GetParam()));
  }
  EXPECT_EQ(colours, GetParam());
}

INSTANTIATE_TEST_SUITE_P(FactorSizes, OrdersTest, ::testing::Range(1, 6));

}  // namespace
}  // namespace fovea
