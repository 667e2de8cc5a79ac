// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula/clause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fovea::synthesis {
namespace {

using ::testing::UnorderedElementsAre;

const Clause kSmall = {{{{1, 0}, 3}}};                      // x <= 3
const Clause kSmaller = {{{{1, 0}, 1}}};                    // x <= 1
const Clause kSmallOrOther = {{{{1, 0}, 3}, {{0, 1}, 5}}};  // x <= 3 or y <= 5

TEST(Clause, HoldsWhereOneOfItsAtomsDoes) {
  EXPECT_TRUE(kSmallOrOther.holds(std::vector<std::int64_t>{3, 9}));
  EXPECT_TRUE(kSmallOrOther.holds(std::vector<std::int64_t>{4, 5}));
  EXPECT_FALSE(kSmallOrOther.holds(std::vector<std::int64_t>{4, 6}));
  EXPECT_FALSE(Clause{}.holds(std::vector<std::int64_t>{0, 0}));
}

TEST(Clause, IsWrittenWithTheFormulaThatItJoins) {
  const std::vector<std::string> names = {"x", "y"};
  const Dnf everything = {.disjuncts = {{}}}, equal = {.disjuncts = {{{{1, -1}, 0}, {{-1, 1}, 0}}}};
  EXPECT_EQ(smt_text({}, everything, names), "true");
  EXPECT_EQ(smt_text(std::vector{kSmall}, everything, names), "(<= x 3)");
  EXPECT_EQ(smt_text(std::vector{kSmallOrOther, kSmaller}, everything, names), "(and (or (<= x 3) (<= y 5)) (<= x 1))");
  EXPECT_EQ(smt_text({}, equal, names), equal.smt_text(names));
  EXPECT_EQ(smt_text(std::vector{kSmall}, equal, names), "(and (<= x 3) " + equal.smt_text(names) + ")");
}

TEST(Clause, WhatAnotherImpliesIsLeftOut) {
  EXPECT_THAT(without_implied({kSmall, kSmallOrOther, kSmaller, kSmaller}), UnorderedElementsAre(kSmaller));
  const Clause other = {{{{0, 1}, 5}}};
  EXPECT_THAT(without_implied({kSmallOrOther, other}), UnorderedElementsAre(other));
  const Clause apart = {{{{-1, 0}, 3}}};
  EXPECT_THAT(without_implied({apart, kSmall}), UnorderedElementsAre(apart, kSmall));
}

}  // namespace
}  // namespace fovea::synthesis
