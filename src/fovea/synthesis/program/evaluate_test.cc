// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/evaluate.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tests/support/counting_loop.h"

namespace fovea::synthesis {
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
}  // namespace fovea::synthesis
