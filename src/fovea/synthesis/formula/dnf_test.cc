// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula/dnf.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fovea::synthesis {
namespace {

const std::vector<std::string> kNames = {"x1", "x2", "x3"};

std::string text_of(std::vector<Dnf::Conjunction> disjuncts) { return Dnf{std::move(disjuncts)}.text(kNames); }
std::string smt_of(std::vector<Dnf::Conjunction> disjuncts) { return Dnf{std::move(disjuncts)}.smt_text(kNames); }

TEST(DnfTest, HoldsWhereADisjunctDoes) {
  const Dnf formula = {{{{{1, 0, 0}, -1}}, {{{0, 1, -1}, 0}, {{0, -1, 1}, 0}}}};  // x1 < 0 or x2 = x3
  EXPECT_TRUE(formula.holds(std::vector<std::int64_t>{-1, 4, 5}));
  EXPECT_TRUE(formula.holds(std::vector<std::int64_t>{3, 5, 5}));
  EXPECT_FALSE(formula.holds(std::vector<std::int64_t>{0, 4, 5}));
  EXPECT_FALSE(Dnf{}.holds(std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_TRUE(Dnf{{{}}}.holds(std::vector<std::int64_t>{0, 0, 0}));
}

TEST(DnfTest, ReadsAsPeopleWriteIt) {
  EXPECT_EQ(text_of({}), "false");
  EXPECT_EQ(text_of({{}}), "true");
  EXPECT_EQ(text_of({{{{1, 0, 0}, 3}}}), "x1 <= 3");
  EXPECT_EQ(text_of({{{{-1, 0, 0}, -3}}}), "x1 >= 3");
  EXPECT_EQ(text_of({{{{-1, -2, 0}, 3}}}), "x1 + 2 x2 >= -3");
  EXPECT_EQ(text_of({{{{1, -2, 0}, 3}}}), "x1 <= 2 x2 + 3");
  EXPECT_EQ(text_of({{{{1, -2, 0}, -3}}}), "x1 <= 2 x2 - 3");
  EXPECT_EQ(text_of({{{{1, -1, 0}, -1}}}), "x1 < x2");
  EXPECT_EQ(text_of({{{{0, 0, 0}, -1}}}), "false");
  EXPECT_EQ(text_of({{{{1, 0, 0}, 3}, {{0, 1, 0}, 0}}, {{{0, 0, 1}, 2}}}), "(x1 <= 3 and x2 <= 0) or x3 <= 2");
}

TEST(DnfTest, PairsAreEquationsAndDifferences) {
  EXPECT_EQ(text_of({{{{0, -1, 1}, 0}, {{0, 1, -1}, 0}}}), "x2 = x3");
  EXPECT_EQ(text_of({{{{1, 0, 0}, -1}}, {{{-1, 0, 0}, -1}}}), "x1 != 0");
  EXPECT_EQ(text_of({{{{1, 0, 0}, -1}}, {{{-1, 0, 0}, -1}}, {{{0, -1, 1}, 0}, {{0, 1, -1}, 0}}}), "x1 != 0 or x2 = x3");
  EXPECT_EQ(text_of({{{{1, -1, 0}, 3}, {{0, 0, 1}, 0}}, {{{0, 0, 1}, 0}, {{-1, 1, 0}, -5}}}),
            "(x1 != x2 + 4 and x3 <= 0)");
  EXPECT_EQ(text_of({{{{1, 0, 0}, -1}}, {{{-1, 0, 0}, 0}}}), "x1 <= -1 or x1 >= 0") << "no difference: it is true";
}

TEST(DnfTest, SmtTextIsAnExpression) {
  EXPECT_EQ(smt_of({}), "false");
  EXPECT_EQ(smt_of({{}}), "true");
  EXPECT_EQ(smt_of({{{{1, 0, 0}, -3}}}), "(<= x1 (- 3))");
  EXPECT_EQ(smt_of({{{{1, -1, -2}, 3}, {{0, 0, 0}, 0}}, {{{0, 3, 0}, 1}}}),
            "(or (and (<= (+ x1 (- x2) (* (- 2) x3)) 3) (<= 0 0)) (<= (* 3 x2) 1))");
}

TEST(SimplifiedTest, LeavesOutWhatIsImplied) {
  const Dnf formula = {{{{{1, 0, 0}, 5}, {{2, 0, 0}, 7}, {{0, 0, 0}, 0}},  // x1 <= 3
                        {{{1, 0, 0}, 2}, {{0, 1, 0}, 0}},                  // stronger
                        {{{0, 1, 0}, 4}, {{0, -1, 0}, -5}},                // x2 <= 4 and x2 >= 5
                        {{{0, 0, 0}, -1}}}};
  EXPECT_EQ(simplified(formula).text(kNames), "x1 <= 3");
  EXPECT_EQ(simplified({{{{{1, 0, 0}, 2}}, {{{0, 0, 0}, 2}}}}).text(kNames), "true");
}

RC_GTEST_PROP(SimplifiedTest, HoldsForTheSameRows, ()) {
  const auto atoms = rc::gen::construct<Atom>(rc::gen::container<std::vector<std::int64_t>>(2, rc::gen::inRange(-2, 3)),
                                              rc::gen::inRange<std::int64_t>(-3, 4));
  const Dnf formula = {*rc::gen::container<std::vector<Dnf::Conjunction>>(rc::gen::container<Dnf::Conjunction>(atoms))};
  const Dnf simple = simplified(formula);
  for (std::int64_t x = -4; x <= 4; ++x)
    for (std::int64_t y = -4; y <= 4; ++y)
      RC_ASSERT(simple.holds(std::vector{x, y}) == formula.holds(std::vector{x, y}));
}

}  // namespace
}  // namespace fovea::synthesis
