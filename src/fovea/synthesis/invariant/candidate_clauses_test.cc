// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/candidate_clauses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "fovea/base/random.h"
#include "fovea/synthesis/program/term.h"
#include "tests/support/counting_loop.h"
#include "tests/support/expect_error.h"

namespace fovea::synthesis {
namespace {

TEST(LinearSpan, FormsAreReducedToOneOfEachDirection) {
  EXPECT_THAT(canonical_form({0, -4, 6}), ElementsAre(0, 2, -3));
  EXPECT_THAT(canonical_form({0, 0}), IsEmpty());
  EXPECT_THAT(canonical_form({1, 2'000'000}), IsEmpty());
}

TEST(LinearSpan, FindsWhatIsTheSameInAllStates) {
  EXPECT_THAT(constant_forms({{1, 10}, {3, 9}, {5, 8}}), ElementsAre(ElementsAre(1, 2)));  // i + 2 j = 21
  EXPECT_THAT(constant_forms({{0, 0, 7}, {1, 2, 7}, {2, 1, 7}}), ElementsAre(ElementsAre(0, 0, 1)));
  EXPECT_THAT(constant_forms({{4, 5}}), ElementsAre(ElementsAre(1, 0), ElementsAre(0, 1)));
  EXPECT_THAT(constant_forms({{0, 0}, {1, 0}, {0, 1}}), IsEmpty());
  EXPECT_THAT(constant_forms({}), IsEmpty());
}

TEST(LinearSpan, FormsOfSeveralDimensionsAreABasis) {
  // x + y = 3 i and z = 2 i + 1.
  const std::vector<ProgramState> states = {{0, 0, 0, 1}, {1, 2, 1, 3}, {2, 1, 1, 3}, {3, 3, 2, 5}};
  const std::vector<LinearCoefficients> forms = constant_forms(states);
  EXPECT_EQ(forms.size(), 2U);
  for (const LinearCoefficients& form : forms) {
    const auto value = [&](const ProgramState& state) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < 4; ++i) sum += form[i] * state[i];
      return sum;
    };
    for (const ProgramState& state : states) EXPECT_EQ(value(state), value(states[0]));
  }
}

TEST(LinearSpan, GivesUpWhereNumbersBecomeLarge) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_THAT(constant_forms({{huge, 0}, {-huge, 1}}), IsEmpty());
}

}  // namespace

namespace {

TEST(MinedMaterial, HasTheNumbersAndComparisonsOfALoop) {
  const MinedMaterial material = mine(fovea::testing::counting_loop(7));
  EXPECT_THAT(material.numbers, ElementsAre(0, 1, 7));
  EXPECT_THAT(material.bounds, ElementsAre(-8, -7, -6, -2, -1, 0, 1, 2, 6, 7, 8));
  EXPECT_THAT(material.guards, Contains(Atom{{1, -1}, 0}));   // x <= n
  EXPECT_THAT(material.guards, Contains(Atom{{1, -1}, -1}));  // x < n
  EXPECT_THAT(material.guards, Contains(Atom{{0, -1}, 0}));   // 0 <= n
  EXPECT_THAT(material.guards, Contains(Atom{{-1, 0}, -7}));  // of x = 7
  EXPECT_THAT(material.forms, ElementsAre(ElementsAre(0, 1), ElementsAre(1, -1), ElementsAre(1, 0)));
}

}  // namespace

namespace {

const std::vector<ProgramState> kCountingStates = {{0, 4}, {1, 4}, {2, 4}, {0, 0}};

TEST(CandidateClauses, BeginWithWhatTheProgramStates) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  const std::vector<Clause> clauses = stated_clauses(loop, kCountingStates);
  EXPECT_THAT(clauses, Contains(Clause{{{{1, -1}, 0}}}));      // x <= n, of the postcondition
  EXPECT_THAT(clauses, Contains(Clause{{{{0, -1}, 0}}}));      // n >= 0, of the precondition
  EXPECT_THAT(clauses, Not(Contains(Clause{{{{1, 0}, 0}}})));  // x = 0 is refuted by the states
}

/// Written out, these would be 2^40 comparisons and sums.
TEST(CandidateClauses, LookAtSharedTermsOnce) {
  TransitionSystem loop = fovea::testing::counting_loop();
  TermId both = loop.post, sum = loop.terms.variable(0, Sort::kInteger);
  for (int i = 0; i < 40; ++i) {
    both = loop.terms.conjunction(std::array{both, both});
    sum = loop.terms.sum(std::array{sum, sum});
  }
  loop.pre = loop.terms.conjunction(std::array{loop.pre, both, loop.terms.at_most(sum, loop.terms.number(0))});
  const std::vector<Clause> clauses = stated_clauses(loop, kCountingStates);
  EXPECT_THAT(clauses, Contains(Clause{{{{1, -1}, 0}}}));
  EXPECT_LT(clauses.size(), 20u);
  EXPECT_FALSE(mine(loop).forms.empty());
}

TEST(CandidateClauses, BoundFormsByWhatTheStatesShow) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  const std::vector<Clause> clauses = bounding_clauses(loop, mine(loop), kCountingStates);
  EXPECT_THAT(clauses, Contains(Clause{{{{1, 0}, 2}}}));    // x <= 2: what was seen
  EXPECT_THAT(clauses, Contains(Clause{{{{1, -1}, 0}}}));   // x - n <= 0
  EXPECT_THAT(clauses, Contains(Clause{{{{-1, 0}, 0}}}));   // x >= 0
  EXPECT_THAT(clauses, Contains(Clause{{{{-1, -1}, 1}}}));  // a mined number above 0
  for (const Clause& clause : clauses)
    for (const ProgramState& state : kCountingStates) EXPECT_TRUE(clause.holds(state));
}

TEST(CandidateClauses, GuardsAreLiteralsOfThePostcondition) {
  const TransitionSystem loop = fovea::testing::paired_loop();  // x != 0 or i != j or y = 0
  const std::vector<ProgramState> states = {{2, 3, 2, 3}, {1, 2, 2, 3}, {4, 4, 4, 4}, {3, 3, 4, 4}};
  const std::vector<Clause> clauses = guarded_clauses(loop, mine(loop), states);
  // Where i >= j: x - y >= 0, which 2, 3, 2, 3 does not show elsewhere.
  EXPECT_THAT(clauses, Contains(Clause{{{{0, 0, 1, -1}, -1}, {{-1, 1, 0, 0}, 0}}}));
  for (const Clause& clause : clauses)
    for (const ProgramState& state : states) EXPECT_TRUE(clause.holds(state));
}

/// A random Boolean term over two integers and a Boolean.
TermId random_term(TermPool& terms, int depth, Random& random) {
  const auto part = [&] { return random_term(terms, depth - 1, random); };
  const TermId x = terms.variable(0, Sort::kInteger), y = terms.variable(1, Sort::kInteger);
  switch (random.uniform_index(depth > 0 ? 9 : 4)) {
    case 0:
      return terms.at_most(x, terms.sum(std::array{terms.scaled(2, y), terms.number(1)}));
    case 1:
      return terms.less(y, terms.number(static_cast<std::int64_t>(random.uniform_index(3))));
    case 2:
      return terms.equal(x, y);
    case 3:
      return terms.variable(2, Sort::kBoolean);
    case 4:
      return terms.negation(part());
    case 5:
      return terms.conjunction(std::array{part(), part()});
    case 6:
      return terms.disjunction(std::array{part(), part()});
    case 7:
      return terms.if_then_else(part(), part(), part());
    default:
      return terms.equal(part(), part());
  }
}

TEST(CandidateClauses, NormalFormsHoldWhereTheirTermsDo) {
  Random random(4);
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    TransitionSystem system = {.name = "Inv", .variables = {{"x"}, {"y"}, {"b", Sort::kBoolean}}, .terms = {}};
    const TermId term = random_term(system.terms, 3, random);
    const std::vector<Clause> clauses = clauses_of(system, term);
    TermEvaluator evaluator(system.terms, term);
    bool is_weaker = false;
    for (std::int64_t x = -3; x <= 3; ++x)
      for (std::int64_t y = -3; y <= 3; ++y)
        for (const std::int64_t b : {0, 1}) {
          const ProgramState state = {x, y, b};
          const bool clauses_hold =
              std::ranges::all_of(clauses, [&](const Clause& clause) { return clause.holds(state); });
          if (evaluator.holds(state)) {
            EXPECT_TRUE(clauses_hold);
          } else {
            is_weaker |= clauses_hold;  // conjuncts too large were left out
          }
        }
    compared += is_weaker ? 0 : 1;
  }
  EXPECT_GT(compared, 150);
}

}  // namespace

}  // namespace fovea::synthesis
