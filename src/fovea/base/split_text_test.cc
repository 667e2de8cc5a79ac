// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/split_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fovea {
namespace {

using ::testing::ElementsAre;

TEST(SplitTextTest, PiecesAreTrimmed) {
  EXPECT_THAT(split_text(" a , b c,d ", ','), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(split_text("a,,", ','), ElementsAre("a", "", ""));
  EXPECT_THAT(split_text("", ','), ElementsAre(""));
}

TEST(SplitTextTest, SeparatorsInParenthesesStay) {
  EXPECT_THAT(split_text("f(a, b), g(h(c, d), e)", ','), ElementsAre("f(a, b)", "g(h(c, d), e)"));
}

TEST(TrimmedTest, LeavesInnerBlanks) {
  EXPECT_EQ(trimmed("  a b "), "a b");
  EXPECT_EQ(trimmed("   "), "");
}

}  // namespace
}  // namespace fovea
