// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/inductive_clauses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/counting_loop.h"
#include "tests/support/expect_error.h"

namespace fovea::synthesis {
namespace {

const Clause kAtMostN = {{{{1, -1}, 0}}};    // x <= n
const Clause kFromZero = {{{{-1, 0}, 0}}};   // x >= 0
const Clause kAtMostFive = {{{{1, 0}, 5}}};  // x <= 5: refuted by a step
const Clause kFromOne = {{{{-1, 0}, -1}}};   // x >= 1: refuted at the start
const Clause kZeroOrSmall = {{{{1, 0}, 0}, {{1, -1}, 0}}};

TEST(InductiveClauses, AreThoseThatNoStateRefutes) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  EXPECT_THAT(inductive_clauses(loop, {kAtMostN, kFromZero, kAtMostFive, kFromOne, kZeroOrSmall}, {}),
              UnorderedElementsAre(kAtMostN, kFromZero, kZeroOrSmall));
  EXPECT_THAT(inductive_clauses(loop, {kAtMostFive}, {}), IsEmpty());
}

// x >= 0 is not inductive by itself where a step adds y; with y >= 0 it is.
TEST(InductiveClauses, MayNeedEachOther) {
  TransitionSystem loop = {.name = "Inv", .variables = {{"x"}, {"y"}}, .terms = {}};
  TermPool& terms = loop.terms;
  const auto variable = [&](std::size_t i) { return terms.variable(i, Sort::kInteger); };
  loop.pre = terms.conjunction(
      std::array{terms.equal(variable(0), terms.number(0)), terms.equal(variable(1), terms.number(3))});
  loop.trans = terms.conjunction(std::array{terms.equal(variable(2), terms.sum(std::array{variable(0), variable(1)})),
                                            terms.equal(variable(3), variable(1))});
  loop.post = terms.at_most(terms.number(0), variable(0));
  const Clause x = {{{{-1, 0}, 0}}}, y = {{{{0, -1}, 0}}};
  EXPECT_THAT(inductive_clauses(loop, {x}, {}), IsEmpty());
  EXPECT_THAT(inductive_clauses(loop, {x, y}, {}), UnorderedElementsAre(x, y));
  EXPECT_THAT(proving_clauses(loop, {x, y}, {}), UnorderedElementsAre(x, y));
}

TEST(InductiveClauses, AProofLeavesOutWhatItDoesNotUse) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  EXPECT_THAT(proving_clauses(loop, {kFromZero, kAtMostN}, {}), UnorderedElementsAre(kAtMostN));
  EXPECT_THAT(proving_clauses(loop, {kFromZero}, {}), IsEmpty());
}

TEST(InductiveClauses, NoneAreKnownOnceItIsStopped) {
  CancelToken cancel;
  cancel.cancel();
  EXPECT_THAT(inductive_clauses(fovea::testing::counting_loop(), {kAtMostN}, {.cancel = &cancel}), IsEmpty());
}

}  // namespace
}  // namespace fovea::synthesis
