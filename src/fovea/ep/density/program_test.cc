// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "tests/support/expect_gradient.h"

namespace fovea::ep {
namespace {

using fovea::testing::expect_gradient;

TEST(Program, HasTheDensityThatItWasGiven) {
  Program program;
  const Node mean = program.parameters(1);
  const Node gaps = program.apply(Binary::kSubtract, program.numbers({1, 2, 4}), mean);
  program.add_density(program.apply(Unary::kNegate, program.apply(Unary::kSquare, gaps)));
  Program::Workspace workspace(program);
  std::vector<double> gradient(1);
  EXPECT_DOUBLE_EQ(workspace.evaluate(std::vector{1.}, gradient), -10);
  EXPECT_DOUBLE_EQ(gradient[0], 2 * (0 + 1 + 3));
}

TEST(Program, DifferentiatesFunctionsOfOneNumber) {
  for (const Unary function :
       {Unary::kNegate, Unary::kExp, Unary::kLog, Unary::kLog1p, Unary::kExpm1, Unary::kSqrt, Unary::kSquare,
        Unary::kReciprocal, Unary::kAbs, Unary::kSin, Unary::kCos, Unary::kTanh, Unary::kLogistic, Unary::kSoftplus,
        Unary::kLogGamma, Unary::kNormalCdf, Unary::kLogNormalCdf}) {
    Program program;
    program.add_density(program.apply(function, program.parameters(3)));
    expect_gradient(program, {.3, 1.7, 2.5});
  }
}

TEST(Program, DifferentiatesFunctionsOfTwoNumbers) {
  for (const Binary function : {Binary::kAdd, Binary::kSubtract, Binary::kMultiply, Binary::kDivide, Binary::kPower,
                                Binary::kAddLogs, Binary::kTimesLog}) {
    Program program;
    const Node a = program.parameters(3), b = program.parameters(3), one = program.parameters(1);
    program.add_density(program.apply(function, a, b));
    program.add_density(program.apply(function, a, one));
    program.add_density(program.apply(function, one, b));
    expect_gradient(program, {.3, 1.7, 2.5, 1.1, .6, 2.2, .9});
  }
}

TEST(Program, DifferentiatesWhatMovesAndAddsNumbers) {
  Program program;
  const Node x = program.parameters(4), y = program.parameters(2);
  const Node all = program.join({x, program.number(3), y});
  const Node some = program.gather(all, {0, 6, 6, 4, 2, 5});
  const Node squares = program.apply(Unary::kSquare, some);
  program.add_density(program.apply(Unary::kExp, program.sum(squares, 2)));
  program.add_density(program.log_sum(squares, 3));
  program.add_density(program.apply(Unary::kSin, program.multiply({1, 2, 3, 4, -1, .5, 0, 2}, x)));
  program.add_density(program.apply(Unary::kTanh, program.sum(x)));
  expect_gradient(program, {.3, -.7, .5, .2, .4, -.1});
}

// Known numbers are computed when they are added, not at each evaluation.
TEST(Program, ComputesWhatIsKnownOnce) {
  Program program;
  const Node known = program.apply(Unary::kExp, program.numbers({0, 1}));
  EXPECT_TRUE(program.is_known(known));
  EXPECT_DOUBLE_EQ(program.known(known)[1], std::exp(1));
  const Node unknown = program.apply(Binary::kMultiply, known, program.parameters(1));
  EXPECT_FALSE(program.is_known(unknown));
  program.add_density(unknown);
  Program::Workspace workspace(program);
  EXPECT_DOUBLE_EQ(workspace.evaluate(std::vector{2.}), 2 * (1 + std::exp(1)));
  EXPECT_DOUBLE_EQ(workspace.values(unknown)[1], 2 * std::exp(1));
}

class Dot : public Operation {
 public:
  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const override {
    results[0] = 0;
    for (std::size_t i = 0; i < inputs[0].size(); ++i) results[0] += inputs[0][i] * inputs[1][i];
  }
  void add_slopes(std::span<const std::span<const double>> inputs, std::span<const double>,
                  std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const override {
    for (std::size_t i = 0; i < slopes_of[0].size(); ++i) slopes_of[0][i] += slopes[0] * inputs[1][i];
    for (std::size_t i = 0; i < slopes_of[1].size(); ++i) slopes_of[1][i] += slopes[0] * inputs[0][i];
  }
};

TEST(Program, TakesOperationsWrittenByHand) {
  Program program;
  const Node x = program.parameters(3);
  program.add_density(program.apply(std::make_shared<Dot>(), {x, program.numbers({1, -2, 3})}, 1));
  program.add_density(program.apply(std::make_shared<Dot>(), {x, program.apply(Unary::kExp, x)}, 1));
  expect_gradient(program, {.3, -.7, .5});
}

TEST(Program, IsImpossibleWhereItIsNoNumber) {
  Program program;
  program.add_density(program.apply(Unary::kLog, program.parameters(1)));
  Program::Workspace workspace(program);
  EXPECT_EQ(workspace.evaluate(std::vector{-1.}), -INFINITY);
}

TEST(Program, ComputesLinearSumsAtOnce) {
  Program program;
  const Node centre = program.parameters(1), weights = program.parameters(2), effects = program.parameters(3);
  const Node a = program.numbers({1, 2, 3}), b = program.numbers({.5, -1, 2}), known = program.numbers({1, 1, 2});
  const auto times = [&](std::uint32_t weight, Node column) {
    return program.apply(Binary::kMultiply, program.gather(weights, {weight}), column);
  };
  Node sum = program.apply(Binary::kAdd, centre, times(0, a));
  sum = program.apply(Binary::kSubtract, sum, times(1, b));
  sum = program.apply(Binary::kAdd, program.apply(Binary::kSubtract, known, sum), effects);
  program.add_density(program.apply(Unary::kSin, sum));
  Program::Workspace all(program), few(program, Program::Workspace::Steps::kDensity);
  const std::vector<double> x = {.3, .7, -.4, 1, 2, 3};
  const double expected[] = {1 - (.3 + .7 * 1 + .4 * .5) + 1, 1 - (.3 + .7 * 2 - .4) + 2, 2 - (.3 + .7 * 3 + .8) + 3};
  double density = 0;
  for (const double e : expected) density += std::sin(e);
  EXPECT_NEAR(all.evaluate(x), density, 1e-12);
  EXPECT_NEAR(few.evaluate(x), density, 1e-12);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(all.values(sum)[i], expected[i], 1e-12);
  expect_gradient(program, x);
}

TEST(Program, EventsWithoutAProbabilityLeaveNoTrace) {
  EXPECT_EQ(value_of(Binary::kTimesLog, 0, 0), 0);
  EXPECT_EQ(value_of(Binary::kTimesLog, 2, 0), -kInfinity);
  EXPECT_TRUE(std::isnan(value_of(Binary::kTimesLog, 0, -1)));
  EXPECT_NEAR(value_of(Binary::kTimesLog, 3, 2), 3 * std::log(2), 1e-15);
}

}  // namespace
}  // namespace fovea::ep
