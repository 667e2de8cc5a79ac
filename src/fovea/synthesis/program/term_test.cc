// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/term.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "fovea/base/error.h"
#include "tests/support/counting_loop.h"

namespace fovea::synthesis {
namespace {

TEST(TermPool, HoldsEachTermOnce) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger), one = terms.number(1);
  EXPECT_EQ(terms.sum(std::array{x, one}), terms.sum(std::array{x, one}));
  EXPECT_NE(terms.sum(std::array{x, one}), terms.sum(std::array{one, x}));
  EXPECT_NE(terms.less(x, one), terms.at_most(x, one));
  EXPECT_NE(terms.variable(0, Sort::kBoolean), x);
}

TEST(TermPool, FoldsNumbersThatFit) {
  TermPool terms;
  EXPECT_EQ(terms.sum(std::array{terms.number(2), terms.number(3)}), terms.number(5));
  EXPECT_EQ(terms.scaled(-4, terms.number(3)), terms.number(-12));
  EXPECT_FALSE(terms.is_number(terms.scaled(4, terms.number(std::int64_t{1} << 62))));
}

TEST(TermPool, ListsSubTermsOperandsFirstAndEachOnce) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger), y = terms.variable(1, Sort::kInteger);
  const TermId same = terms.equal(x, y), both = terms.conjunction(std::array{same, terms.negation(same)});
  EXPECT_EQ(terms.sub_terms(std::array{both, same}).size(), 5u);
  EXPECT_EQ(terms.sub_terms(std::array{both}).back(), both);
  EXPECT_EQ(terms.written_size(both), 8u);
  EXPECT_EQ(terms.depth(both), 4u);
}

TEST(TermPool, RefusesWrongSorts) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger);
  EXPECT_THROW(terms.negation(x), InternalError);
  EXPECT_THROW(terms.equal(x, terms.truth(true)), InternalError);
}

}  // namespace

namespace {

TEST(TermText, WritesConditionsAsSmtLibDoes) {
  const TransitionSystem loop = fovea::testing::counting_loop(-3);
  const std::vector<std::string> names = variable_names(loop);
  EXPECT_EQ(term_text(loop.terms, loop.pre, names), "(and (= x (- 3)) (<= 0 n))");
  EXPECT_EQ(term_text(loop.terms, loop.trans, names), "(and (< x n) (= n! n) (= x! (+ x 1)))");
}

TEST(TermText, WritesTheLeastNumber) {
  EXPECT_EQ(number_text(std::numeric_limits<std::int64_t>::min()), "(- 9223372036854775808)");
}

TEST(TermText, PrimesQuotedNamesInsideTheirBars) {
  const TransitionSystem system = {
      .name = "Inv", .variables = {{"|a b|", Sort::kBoolean}, {"x", Sort::kInteger}}, .terms = {}};
  EXPECT_EQ(parameter_text(system), "(|a b| Bool) (x Int)");
  EXPECT_EQ(parameter_text(system, true), "(|a b| Bool) (x Int) (|a b!| Bool) (x! Int)");
}

}  // namespace

namespace {

bool holds_at(const TransitionSystem& system, TermId term, std::vector<std::int64_t> values) {
  return TermEvaluator(system.terms, term).holds(values);
}

TEST(TermEvaluator, DecidesTheConditionsOfALoop) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  EXPECT_TRUE(holds_at(loop, loop.pre, {0, 4}));
  EXPECT_FALSE(holds_at(loop, loop.pre, {1, 4}));
  EXPECT_FALSE(holds_at(loop, loop.pre, {0, -1}));
  EXPECT_TRUE(holds_at(loop, loop.trans, {1, 4, 2, 4}));
  EXPECT_FALSE(holds_at(loop, loop.trans, {1, 4, 3, 4}));
  EXPECT_FALSE(holds_at(loop, loop.trans, {4, 4, 5, 4}));
  EXPECT_FALSE(holds_at(loop, loop.post, {5, 4}));
}

TEST(TermEvaluator, DecidesBooleansAndConditions) {
  TermPool terms;
  const TermId b = terms.variable(0, Sort::kBoolean), x = terms.variable(1, Sort::kInteger);
  const TermId chosen = terms.if_then_else(b, x, terms.scaled(-2, x));
  EXPECT_EQ(TermEvaluator(terms, chosen).value(std::array<std::int64_t, 2>{1, 7}), 7);
  EXPECT_EQ(TermEvaluator(terms, chosen).value(std::array<std::int64_t, 2>{0, 7}), -14);
  const TermId either = terms.disjunction(std::array{terms.negation(b), terms.equal(b, terms.truth(false))});
  EXPECT_EQ(TermEvaluator(terms, either).value(std::array<std::int64_t, 2>{1, 0}), 0);
  EXPECT_EQ(TermEvaluator(terms, either).value(std::array<std::int64_t, 2>{0, 0}), 1);
}

TEST(TermEvaluator, GivesNothingWhereANumberDoesNotFit) {
  TermPool terms;
  const TermId twice = terms.scaled(2, terms.variable(0, Sort::kInteger));
  EXPECT_FALSE(TermEvaluator(terms, twice).value(std::array{std::numeric_limits<std::int64_t>::max()}));
}

}  // namespace

namespace {

TEST(LinearForm, CollectsCoefficientsAndConstants) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger), y = terms.variable(2, Sort::kInteger);
  const TermId inner = terms.sum(std::array{x, terms.scaled(-3, y), terms.number(5)});
  const auto form = linear_form(terms, terms.sum(std::array{terms.scaled(2, inner), y}), 3);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->coefficients, (std::vector<std::int64_t>{2, 0, -5}));
  EXPECT_EQ(form->constant, 10);
}

TEST(LinearForm, IsNothingForConditions) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger);
  EXPECT_FALSE(linear_form(terms, terms.if_then_else(terms.less(x, x), x, terms.number(1)), 1));
}

}  // namespace

}  // namespace fovea::synthesis
