// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula/dnf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "tests/support/expect_error.h"

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

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(AtomTest, IsExactWhereSumsOverflow) {
  const Atom sum = {.coefficients = {1, 1}, .bound = 0};
  EXPECT_FALSE(sum.holds(std::vector{kMost, kMost}));
  EXPECT_TRUE(sum.holds(std::vector{kLeast, kLeast}));
  EXPECT_TRUE(sum.holds(std::vector{kMost, kLeast}));  // -1
  const Atom products = {.coefficients = {kLeast, kLeast, kMost}, .bound = kLeast};
  EXPECT_FALSE(products.holds(std::vector{kLeast, kLeast, std::int64_t{1}}));
  EXPECT_TRUE(products.holds(std::vector{kMost, kMost, std::int64_t{-1}}));
  // 2 (-2^63) + 2^63 - 1 + (-2^63) (-1) = -1 - 2^63 + 2^63 = -1, by way of sums beyond 64 bits.
  const Atom cancelling = {.coefficients = {2, 1, kLeast}, .bound = -1};
  EXPECT_TRUE(cancelling.holds(std::vector{kLeast, kMost, std::int64_t{-1}}));
  EXPECT_FALSE((Atom{.coefficients = {2, 1, kLeast}, .bound = -2}).holds(std::vector{kLeast, kMost, std::int64_t{-1}}));
}

rc::Gen<Atom> small_atoms() {
  return rc::gen::construct<Atom>(rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange(-6, 7)),
                                  rc::gen::inRange<std::int64_t>(-20, 21));
}
rc::Gen<std::vector<std::int64_t>> small_rows() {
  return rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange(-6, 7));
}

RC_GTEST_PROP(AtomTest, NegationHoldsWhereItDoesNot, ()) {
  const Atom atom = *small_atoms();
  const auto row = *small_rows();
  RC_ASSERT(negation(atom).holds(row) != atom.holds(row));
}

RC_GTEST_PROP(AtomTest, ReducedHoldsForTheSameRows, ()) {
  const Atom atom = *small_atoms();
  const auto row = *small_rows();
  RC_ASSERT(reduced(atom).holds(row) == atom.holds(row));
}

TEST(AtomTest, ReducedRoundsTheBoundDown) {
  EXPECT_EQ(reduced({.coefficients = {2, -4}, .bound = 3}), (Atom{.coefficients = {1, -2}, .bound = 1}));
  EXPECT_EQ(reduced({.coefficients = {2, -4}, .bound = -3}), (Atom{.coefficients = {1, -2}, .bound = -2}));
  EXPECT_EQ(reduced({.coefficients = {0, 0}, .bound = 7}), (Atom{.coefficients = {0, 0}, .bound = 7}));
}

}  // namespace

namespace {

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
