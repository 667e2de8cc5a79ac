// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/synthesis/input/sygus.h"
#include "fovea/synthesis/verify/recheck.h"
#include "tests/support/expect_error.h"
#include "tests/support/horn_problems.h"

namespace fovea::synthesis {
namespace {

InvariantProblem problem(const std::string& text) { return read_problem(io::ByteSource::from_memory(text, "file")); }

TEST(Horn, MakesOneLoopOfSeveralPredicates) {
  const InvariantProblem two = problem(fovea::testing::two_loops());
  ASSERT_TRUE(two.loop) << two.why_no_loop;
  ASSERT_EQ(two.clauses.predicates.size(), 2u);
  EXPECT_EQ(parameter_text(two.clauses.predicates[0]), "(x Int) (n Int)");
  EXPECT_EQ(parameter_text(two.clauses.predicates[1]), "(x Int) (n Int) (y Int)");
  EXPECT_TRUE(two.loop->inputs.empty());
  const TransitionSystem& loop = *two.loop;  // x n y location
  ASSERT_EQ(two.location, 3u);
  const auto holds = [&](TermId term, std::vector<std::int64_t> values) {
    return TermEvaluator(loop.terms, term).holds(values);
  };
  EXPECT_TRUE(holds(loop.pre, {0, 4, 0, 0}));
  EXPECT_FALSE(holds(loop.pre, {0, 4, 1, 0}));  // a variable that the predicate does not have
  EXPECT_FALSE(holds(loop.pre, {0, 4, 0, 1}));
  EXPECT_TRUE(holds(loop.trans, {1, 4, 0, 0, 2, 4, 0, 0}));
  EXPECT_TRUE(holds(loop.trans, {4, 4, 0, 0, 4, 4, 0, 1}));
  EXPECT_FALSE(holds(loop.trans, {4, 4, 0, 0, 5, 4, 0, 0}));
  EXPECT_TRUE(holds(loop.trans, {4, 4, 2, 1, 4, 4, 3, 1}));
  EXPECT_TRUE(holds(loop.post, {4, 4, 4, 1}));
  EXPECT_FALSE(holds(loop.post, {3, 4, 4, 1}));
  EXPECT_TRUE(holds(loop.post, {3, 4, 4, 0}));
}

TEST(Horn, MakesInputsOfOtherVariables) {
  const InvariantProblem one = problem(
      "(declare-fun P (Int Bool) Bool)\n(assert (forall ((x Int) (u Int)) (=> (= x (* 2 u)) (P x false))))\n"
      "(assert (forall ((x Int) (b Bool) (c Bool) (u Int)) (=> (and (P x b) (> u 0) c) (P (+ x u) c))))\n"
      "(assert (not (exists ((x Int) (b Bool)) (and (P x b) (< x 0) b))))");
  ASSERT_TRUE(one.loop) << one.why_no_loop;
  EXPECT_EQ(one.loop->inputs.size(), 1u);  // shared by the clauses
  EXPECT_FALSE(one.location);
  EXPECT_TRUE(TermEvaluator(one.loop->terms, one.loop->trans).holds(std::array<std::int64_t, 5>{3, 0, 5, 1, 2}));
  EXPECT_FALSE(TermEvaluator(one.loop->terms, one.loop->post).holds(std::array<std::int64_t, 5>{-3, 1, 0, 0, 0}));
}

TEST(Horn, SaysWhyThereIsNoLoop) {
  const InvariantProblem other = problem(fovea::testing::beyond_loops());
  EXPECT_FALSE(other.loop);
  EXPECT_THAT(other.why_no_loop, HasSubstr("file:3: column 21"));
  EXPECT_FALSE(unread_line(other.clauses));
  EXPECT_THAT(
      problem("(declare-fun P (Int) Bool)\n(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))")
          .why_no_loop,
      HasSubstr("several predicates in its body"));
}

TEST(Horn, RefusesOtherLanguages) {
  const auto message = [](const std::string& text) {
    return fovea::testing::message_of<InputError>([&] { problem("(set-logic HORN)\n" + text); });
  };
  EXPECT_THAT(message("(declare-rel P (Int))"),
              HasSubstr("file:2: column 1: 'declare-rel' is a command of Z3's rules"));
  EXPECT_THAT(message("(declare-const c Int)"), HasSubstr("the command 'declare-const' is not supported"));
  EXPECT_THAT(message("(declare-fun f (Int) Int)"), HasSubstr("not a predicate"));
  EXPECT_THAT(message("(assert true)"), HasSubstr("declares no predicate"));
  EXPECT_THAT(message("(declare-fun P () Bool)"), HasSubstr("no clauses"));
  EXPECT_THAT(message("(declare-fun P () Bool)(declare-fun P () Bool)"), HasSubstr("declared twice"));
}

TEST(OwnWords, GiveFunctionsTheInputsThatTheyUse) {
  const InvariantProblem one = problem(
      "(set-logic LIA)\n(synth-inv Inv ((x Int)))\n(declare-var u Int)\n(define-fun more ((x Int)) Int (+ x u -1))\n"
      "(define-fun pre ((x Int)) Bool (= x 0))\n(define-fun step ((x Int) (x! Int)) Bool (let ((y Int (more x))) (= x! "
      "y)))\n"
      "(define-fun post ((x Int)) Bool true)\n(inv-constraint Inv pre step post)");
  ASSERT_TRUE(one.own_words);
  EXPECT_EQ(one.own_words->definitions[0].text, "(define-fun more ((x Int) (u Int)) Int (+ x u (- 1)))");
  EXPECT_EQ(one.own_words->definitions[2].text,
            "(define-fun step ((x Int) (x! Int) (u Int)) Bool (let ((y (more x u))) (= x! y)))");
  EXPECT_EQ(one.own_words->clauses[1].text,
            "(forall ((x Int) (x! Int) (u Int)) (=> (and (Inv x) (step x x! u)) (Inv x!)))");
  EXPECT_FALSE(unread_line(*one.own_words));
  const std::vector<std::string> bodies = {"true"};
  EXPECT_TRUE(are_satisfied_by(*one.own_words, bodies));
  EXPECT_TRUE(are_satisfied_by(one.clauses, bodies));
}

}  // namespace
}  // namespace fovea::synthesis
