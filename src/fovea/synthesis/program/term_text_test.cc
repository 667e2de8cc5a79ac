// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/term_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/counting_loop.h"

namespace fovea::synthesis {
namespace {

TEST(TermText, WritesConditionsAsSmtLibDoes) {
  const TransitionSystem loop = fovea::testing::counting_loop(-3);
  const std::vector<std::string> names = state_names(loop);
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
}  // namespace fovea::synthesis
