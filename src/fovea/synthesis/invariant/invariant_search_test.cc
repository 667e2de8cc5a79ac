// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/invariant_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/synthesis/input/sygus.h"
#include "fovea/synthesis/verify/recheck.h"
#include "tests/support/counting_loop.h"
#include "tests/support/expect_error.h"
#include "tests/support/horn_problems.h"
#include "tests/support/loop_with_inputs.h"

namespace fovea::synthesis {
namespace {

/// With Spacer in addition to the search, and without.
class InvariantSearch : public ::testing::TestWithParam<bool> {
 protected:
  InvariantAnswer find(const TransitionSystem& system, std::uint64_t seed = 1) const {
    return find_invariant(system, {.no_spacer = !GetParam(), .seed = seed}, Stop{}.within(60));
  }
};

INSTANTIATE_TEST_SUITE_P(WithSpacer, InvariantSearch, ::testing::Bool());

TEST_P(InvariantSearch, ProvesALoop) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  for (const std::uint64_t seed : {1, 2, 3}) {
    const InvariantAnswer answer = find(loop, seed);
    ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
    EXPECT_TRUE(is_proved_by(loop, answer.bodies[0])) << answer.bodies[0];
    EXPECT_TRUE(answer.unsafe_run.empty());
  }
}

TEST_P(InvariantSearch, NamesAStartStateThatIsNotAllowed) {
  const TransitionSystem loop = fovea::testing::counting_loop(3);
  const InvariantAnswer answer = find(loop);
  EXPECT_EQ(answer.verdict, ProgramVerdict::kInfeasible);
  EXPECT_EQ(answer.unsafe_run.size(), 1u);
  EXPECT_TRUE(is_unsafe_run(loop, answer.unsafe_run));
}

TEST_P(InvariantSearch, ShowsARunThatBreaksThePostcondition) {
  const TransitionSystem loop = fovea::testing::counting_loop_that_ends_with(2);
  const InvariantAnswer answer = find(loop);
  ASSERT_EQ(answer.verdict, ProgramVerdict::kInfeasible);
  EXPECT_EQ(answer.unsafe_run.size(), 4u);  // x = 0, 1, 2, 3
  EXPECT_TRUE(is_unsafe_run(loop, answer.unsafe_run));
}

TEST_P(InvariantSearch, HoldsWhateverTheInputs) {
  const TransitionSystem loop = fovea::testing::loop_with_inputs("(or (>= x 0) b)");
  const InvariantAnswer answer = find(loop);
  ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
  EXPECT_TRUE(is_proved_by(loop, answer.bodies[0])) << answer.bodies[0];
  const TransitionSystem unsafe = fovea::testing::loop_with_inputs("(or (<= x 4) b)");
  const InvariantAnswer none = find(unsafe);
  ASSERT_EQ(none.verdict, ProgramVerdict::kInfeasible);
  EXPECT_GE(none.unsafe_run.size(), 3u);
  EXPECT_TRUE(is_unsafe_run(unsafe, none.unsafe_run));
}

TEST_P(InvariantSearch, CountsBooleansAsNumbers) {
  TransitionSystem flag = {.name = "Inv", .variables = {{"b", Sort::kBoolean}}, .terms = {}};
  const TermId before = flag.terms.variable(0, Sort::kBoolean), after = flag.terms.variable(1, Sort::kBoolean);
  flag.pre = flag.post = before;
  flag.trans = flag.terms.equal(before, after);
  const InvariantAnswer answer = find(flag);
  ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
  EXPECT_TRUE(is_proved_by(flag, answer.bodies[0])) << answer.bodies[0];
}

TEST(CounterexampleLoop, CountsItsWork) {
  const InvariantAnswer answer = find_by_counterexamples(fovea::testing::counting_loop(), {}, Stop{}.within(60));
  EXPECT_EQ(answer.verdict, ProgramVerdict::kProved);
  EXPECT_FALSE(answer.is_spacers);
  EXPECT_GE(answer.rounds, 1u);
  EXPECT_GE(answer.examples, 1u);
  EXPECT_GE(answer.solver_calls, 4u);
}

TEST(CounterexampleLoop, ProvesAnEquationOfTwoVariables) {
  const TransitionSystem loop = fovea::testing::paired_loop();
  const InvariantAnswer answer = find_by_counterexamples(loop, {.no_clauses = true}, Stop{}.within(60));
  ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
  EXPECT_TRUE(is_proved_by(loop, answer.bodies[0])) << answer.bodies[0];
}

/// i := 1, j := 10; while (j >= i) i := i + 2, j := j - 1; afterwards j = 6. The invariant is about i + 2 j, which is
/// in no comparison of the program: it comes from the states of runs.
TEST(CounterexampleLoop, LearnsClausesFromRuns) {
  TransitionSystem loop = {.name = "Inv", .variables = {{"i"}, {"j"}}, .terms = {}};
  TermPool& terms = loop.terms;
  const auto variable = [&](std::size_t i) { return terms.variable(i, Sort::kInteger); };
  const auto plus = [&](std::size_t i, std::int64_t n) { return terms.sum(std::array{variable(i), terms.number(n)}); };
  loop.pre = terms.conjunction(
      std::array{terms.equal(variable(0), terms.number(1)), terms.equal(variable(1), terms.number(10))});
  loop.trans =
      terms.conjunction(std::array{terms.at_most(variable(0), variable(1)), terms.equal(variable(2), plus(0, 2)),
                                   terms.equal(variable(3), plus(1, -1))});
  loop.post =
      terms.disjunction(std::array{terms.at_most(variable(0), variable(1)), terms.equal(variable(1), terms.number(6))});
  const InvariantAnswer answer = find_by_counterexamples(loop, {}, Stop{}.within(60));
  ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
  EXPECT_TRUE(is_proved_by(loop, answer.bodies[0])) << answer.bodies[0];
}

TEST(CounterexampleLoop, KnowsNothingOnceItIsStopped) {
  CancelToken cancel;
  cancel.cancel();
  const InvariantAnswer answer = find_by_counterexamples(fovea::testing::counting_loop(), {}, {.cancel = &cancel});
  EXPECT_EQ(answer.verdict, ProgramVerdict::kUnknown);
  EXPECT_EQ(answer.rounds, 0u);
}

TEST_P(InvariantSearch, FindsAllPredicatesOfHornClauses) {
  const InvariantProblem two = read_problem(io::ByteSource::from_memory(fovea::testing::two_loops(), "file"));
  const InvariantAnswer answer = find_invariant(two, {.no_spacer = !GetParam()}, Stop{}.within(60));
  ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
  ASSERT_EQ(answer.bodies.size(), 2u);
  EXPECT_TRUE(are_satisfied_by(two.clauses, answer.bodies));
  const std::vector<std::string> wrong = {answer.bodies[0], "true"};
  EXPECT_FALSE(are_satisfied_by(two.clauses, wrong));
}

TEST_P(InvariantSearch, ShowsARunThroughSeveralPredicates) {
  const InvariantProblem two = read_problem(io::ByteSource::from_memory(fovea::testing::two_loops("7"), "file"));
  const InvariantAnswer answer = find_invariant(two, {.no_spacer = !GetParam()}, Stop{}.within(60));
  ASSERT_EQ(answer.verdict, ProgramVerdict::kInfeasible);
  ASSERT_FALSE(answer.unsafe_run.empty());
  EXPECT_EQ(answer.unsafe_run.front()[*two.location], 0);
  EXPECT_EQ(answer.unsafe_run.back()[*two.location], 1);
}

TEST(HornSearch, LeavesWhatIsNoLoopToSpacer) {
  const InvariantProblem other = read_problem(io::ByteSource::from_memory(fovea::testing::beyond_loops(), "file"));
  const InvariantAnswer answer = find_invariant(other, {}, Stop{}.within(60));
  ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
  EXPECT_TRUE(are_satisfied_by(other.clauses, answer.bodies));
}

TEST(HornSearch, SaysWhatZ3DoesNotRead) {
  const InvariantProblem wrong = read_problem(io::ByteSource::from_memory(
      "(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (P x)))\n(assert (forall ((x Int)) (=> (P y) false)))",
      "file"));
  EXPECT_THAT(fovea::testing::message_of<InputError>([&] { find_invariant(wrong, {}, {}); }),
              HasSubstr("file:3: column 1: Z3 does not read this: unknown constant y"));
}

TEST(CongruenceSearch, CountsByTwoAndThree) {
  const InvariantProblem loop = read_problem(io::ByteSource::from_memory(
      "(synth-inv Inv ((x Int) (y Int)))(define-fun pre ((x Int) (y Int)) Bool (and (= x 0) (= y 6)))"
      "(define-fun step ((x Int) (y Int) (x! Int) (y! Int)) Bool (or (and (= x! (+ x 2)) (= y! y)) (and (= x! x) (= y! "
      "(+ y 3)))))"
      "(define-fun post ((x Int) (y Int)) Bool (and (distinct x 7) (distinct y 13)))(inv-constraint Inv pre step post)",
      "file"));
  const InvariantAnswer answer = find_invariant(loop, {.no_spacer = true}, Stop{}.within(60));
  ASSERT_EQ(answer.verdict, ProgramVerdict::kProved);
  EXPECT_THAT(answer.bodies[0], HasSubstr("(mod x 2)"));
}

}  // namespace
}  // namespace fovea::synthesis
