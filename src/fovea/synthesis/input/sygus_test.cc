// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/sygus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/synthesis/program/term.h"
#include "tests/support/expect_error.h"
#include "tests/support/loop_with_inputs.h"

namespace fovea::synthesis {
namespace {

constexpr const char* kCountingProblem = R"(; counts to n
(set-logic LIA)
(synth-inv Inv ((x Int) (n Int) (b Bool)))
(declare-primed-var x Int)
(define-fun below ((x Int) (n Int)) Bool (< x n))
(define-fun pre ((x Int) (n Int) (b Bool)) Bool (and (= x 0) (>= n 0) b))
(define-fun trans ((x Int) (n Int) (b Bool) (x! Int) (n! Int) (b! Bool)) Bool
  (and (below x n) (= x! (+ x 1)) (= n! n) (let ((next (not b))) (xor b! (=> next false)))))
(define-fun post ((x Int) (n Int) (b Bool)) Bool (not (> (- x n) (* 0 2))))
(inv-constraint Inv pre trans post)
(check-synth)
)";

TransitionSystem problem_of(std::string_view text) { return read_sygus(io::ByteSource::from_memory(text, "loop.sl")); }

/// The message for the counting problem with `part` replaced.
std::string message_for(const std::string& part, const std::string& replacement) {
  std::string text = kCountingProblem;
  const std::size_t place = text.find(part);
  if (place == std::string::npos) return "the problem has no " + part;
  text.replace(place, part.size(), replacement);
  try {
    problem_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool holds_in(const TransitionSystem& system, TermId term, std::vector<std::int64_t> values) {
  return TermEvaluator(system.terms, term).holds(values);
}

TEST(Sygus, ReadsALoop) {
  const TransitionSystem system = problem_of(kCountingProblem);
  EXPECT_EQ(system.name, "Inv");
  ASSERT_EQ(system.size(), 3u);
  EXPECT_EQ(system.variables[1].name, "n");
  EXPECT_EQ(system.variables[2].sort, Sort::kBoolean);
  EXPECT_TRUE(holds_in(system, system.pre, {0, 3, 1}));
  EXPECT_FALSE(holds_in(system, system.pre, {0, 3, 0}));
  EXPECT_TRUE(holds_in(system, system.trans, {0, 3, 1, 1, 3, 0}));
  EXPECT_TRUE(holds_in(system, system.trans, {0, 3, 0, 1, 3, 1}));
  EXPECT_FALSE(holds_in(system, system.trans, {0, 3, 1, 1, 3, 1}));
  EXPECT_FALSE(holds_in(system, system.trans, {3, 3, 1, 4, 3, 0}));
  EXPECT_TRUE(holds_in(system, system.post, {3, 3, 0}));
  EXPECT_FALSE(holds_in(system, system.post, {4, 3, 0}));
}

TEST(Sygus, WritesWhatItReadsBack) {
  const TransitionSystem system = problem_of(kCountingProblem);
  const std::string text = sygus_text(system);
  EXPECT_EQ(sygus_text(problem_of(text)), text);
}

TEST(Sygus, DeclaredVariablesThatTheStateDoesNotHaveAreInputs) {
  const TransitionSystem system = fovea::testing::loop_with_inputs("(or (< x 2) (distinct u 7))");
  ASSERT_EQ(system.size(), 1u);
  ASSERT_EQ(system.inputs.size(), 2u);
  EXPECT_EQ(system.inputs[0].name, "u");
  EXPECT_EQ(system.inputs[1].sort, Sort::kBoolean);
  EXPECT_EQ(system.variable_count(), 4u);
  EXPECT_TRUE(holds_in(system, system.trans, {5, 7, 2, 1}));  // x, x!, u, b
  EXPECT_TRUE(holds_in(system, system.trans, {5, 6, 2, 0}));
  EXPECT_FALSE(holds_in(system, system.trans, {5, 7, 2, 0}));
  EXPECT_FALSE(holds_in(system, system.trans, {5, 9, 4, 1}));
  const std::string text = sygus_text(system);
  EXPECT_THAT(text, HasSubstr("(declare-var u Int)"));
  EXPECT_EQ(sygus_text(problem_of(text)), text);
}

TEST(Sygus, ParametersHideDeclaredVariables) {
  EXPECT_THAT(message_for("(declare-primed-var x Int)", "(declare-var b Bool)\n(declare-var n! Int)"), "accepted");
  EXPECT_THAT(message_for("(declare-primed-var x Int)", "(declare-var u Int)\n(declare-var u Int)"),
              HasSubstr("declared twice"));
  EXPECT_THAT(message_for("(declare-primed-var x Int)", "(declare-var 7 Int)"), HasSubstr("where a name should be"));
  EXPECT_THAT(message_for("(< x n)", "(< x m)"), HasSubstr("declared variables"));
  for (const char* both :
       {"(declare-var u Int)\n(define-fun u () Int 1)", "(define-fun u () Int 1)\n(declare-var u Int)"})
    EXPECT_THAT(message_for("(declare-primed-var x Int)", both), HasSubstr("both a variable and a function"));
}

TEST(Sygus, NamesThePlaceOfAnError) {
  EXPECT_THAT(message_for("(< x n)", "(< x m)"), HasSubstr("loop.sl:5"));
  EXPECT_THAT(message_for("(< x n)", "(< x m)"), HasSubstr("is unknown"));
}

TEST(Sygus, RefusesWhatIsNotLinear) {
  EXPECT_THAT(message_for("(* 0 2)", "(* x n)"), HasSubstr("not linear"));
  EXPECT_THAT(message_for("(* 0 2)", "(/ x 2)"), HasSubstr("not supported"));
  EXPECT_THAT(message_for("(set-logic LIA)", "(set-logic NIA)"), HasSubstr("NIA"));
  EXPECT_THAT(message_for("(set-logic LIA)", "(set-logic SAT)"), "accepted");
}

TEST(Sygus, RefusesWrongSortsAndNumbersOfArguments) {
  EXPECT_THAT(message_for("(= x 0)", "(= x b)"), HasSubstr("loop.sl:6"));
  EXPECT_THAT(message_for("(below x n)", "(below x)"), HasSubstr("1 arguments where 2 are needed"));
  EXPECT_THAT(message_for("(below x n)", "(below b n)"), HasSubstr("argument 1 is Bool"));
  EXPECT_THAT(message_for("(x Int) (n Int) (b Bool)))", "(x Real) (n Int) (b Bool)))"), HasSubstr("Real"));
}

TEST(Sygus, RefusesAVariableNamedAsAnotherOneAfterAStep) {
  EXPECT_THAT(message_for("((x Int) (n Int) (b Bool))", "((x Int) (x! Int) (b Bool))"), HasSubstr("after a step"));
}

TEST(Sygus, RefusesNumbersThatAreTooLarge) {
  EXPECT_THAT(message_for("(= x 0)", "(= x 99999999999999999999)"), HasSubstr("whole number"));
  EXPECT_THAT(message_for("(= x 0)", "(= x 0.5)"), HasSubstr("whole number"));
}

TEST(Sygus, RefusesIncompleteProblems) {
  EXPECT_THAT(message_for("(inv-constraint Inv pre trans post)", ""), HasSubstr("no inv-constraint"));
  EXPECT_THAT(message_for("(inv-constraint Inv pre trans post)", "(inv-constraint Inv pre step post)"),
              HasSubstr("not defined"));
  EXPECT_THAT(message_for("(check-synth)", "(prove-it)"), HasSubstr("the command"));
  EXPECT_THAT(message_for("(check-synth)", "check-synth"), HasSubstr("not a command"));
}

TEST(Sygus, DividesByNumbersAsSmtLibDoes) {
  for (const std::int64_t x : {-7, -6, -1, 0, 1, 5, 6, 7})
    for (const std::int64_t divisor : {3, -3}) {
      const std::int64_t remainder = ((x % 3) + 3) % 3, quotient = (x - remainder) / divisor;
      const std::string by = divisor < 0 ? "(- 3)" : "3";
      const TransitionSystem system = problem_of(
          "(set-logic LIA)(synth-inv I ((x Int)))(define-fun p ((x Int)) Bool (and (= " + number_text(quotient) +
          " (div x " + by + ")) (= " + number_text(remainder) + " (mod x " + by + ")) (= (abs x) " +
          number_text(std::abs(x)) + ")))(define-fun t ((x Int) (x! Int)) Bool true)(inv-constraint I p t p)");
      EXPECT_TRUE(holds_in(system, system.pre, {x})) << x << " " << divisor;
      EXPECT_EQ(sygus_text(problem_of(sygus_text(system))), sygus_text(system));
    }
  for (const char* part : {"(div x 0)", "(mod x n)", "(div x)", "(mod x 2 3)", "(abs x n)"})
    EXPECT_NE(message_for("(+ x 1)", part), "accepted") << part;
  EXPECT_THAT(message_for("(+ x 1)", "(mod x n)"), HasSubstr("divides by numbers alone"));
}

TEST(Sygus, ReadsTermsThatAreSharedManyTimes) {
  const auto doubled = [](int times) {
    std::string text = "(set-logic LIA)(synth-inv I ((x Int)))(define-fun p ((x Int)) Bool ", end = "(<= y x)";
    std::string last = "x";
    for (int i = 0; i < times; ++i) {
      const std::string name = "y" + std::to_string(i);
      text += "(let ((" + name + " (+ " + last + " " + last + " 1))) ";
      last = name;
      end += ")";
    }
    end.replace(end.find('y'), 1, last);
    return text + end + ")(define-fun t ((x Int) (x! Int)) Bool false)(inv-constraint I p t p)";
  };
  const TransitionSystem system = problem_of(doubled(18));
  EXPECT_GT(system.terms.written_size(system.pre), 200'000u);
  EXPECT_TRUE(holds_in(system, system.pre, {-1}));
  EXPECT_FALSE(holds_in(system, system.pre, {0}));
  const TransitionSystem many = problem_of(doubled(40));
  EXPECT_TRUE(holds_in(many, many.pre, {-1}));
}

TEST(Sygus, RefusesDefinitionsThatExplode) {
  std::string text = "(set-logic LIA)\n(synth-inv Inv ((x Int)))\n(define-fun f0 ((x Int)) Int x)\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string last = "f" + std::to_string(i - 1);
    text += "(define-fun f" + std::to_string(i) + " ((x Int)) Int (+ (" + last + " x) (" + last + " x)))\n";
  }
  EXPECT_THROW(problem_of(text), InputError);
}

}  // namespace
}  // namespace fovea::synthesis
