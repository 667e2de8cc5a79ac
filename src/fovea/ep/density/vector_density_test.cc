// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/vector_density.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "tests/support/expect_gradient.h"

namespace fovea::ep {
namespace {

using fovea::testing::expect_gradient;

TEST(Normal, HasTheSlopesOfOneNumberAndOfMany) {
  for (const std::size_t xs : {1, 3})
    for (const std::size_t means : {1, 3})
      for (const std::size_t sds : {1, 3}) {
        Program program;
        const Node x = program.parameters(xs), mean = program.parameters(means);
        const Node density = normal(program, x, mean, program.apply(Unary::kExp, program.parameters(sds)));
        program.add_density(program.apply(Unary::kSin, density));
        std::vector<double> start;
        for (std::size_t i = 0; i < xs + means + sds; ++i) start.push_back(std::cos(static_cast<double>(i)));
        expect_gradient(program, start);
        const std::size_t last = means == 1 ? 0 : means - 1, last_sd = sds == 1 ? 0 : sds - 1;
        Program::Workspace workspace(program);
        workspace.evaluate(start);
        const double sd = std::exp(start[xs + means + last_sd]), z = (start[xs - 1] - start[xs + last]) / sd;
        EXPECT_NEAR(workspace.values(density).back(), -.5 * z * z - std::log(sd) - .5 * std::log(2 * std::numbers::pi),
                    1e-12);
      }
}

TEST(MultiNormal, HasTheDensityOfTwoNumbers) {
  Program program;
  const Node x = program.parameters(2);
  const double a = 2, b = .5, c = 1.5, mean[] = {1, -1};
  const Node arguments[] = {program.numbers({mean[0], mean[1]}), program.numbers({a, b, b, c})};
  program.add_density(multi_normal(program, x, arguments, 2));
  Program::Workspace workspace(program);
  const double determinant = a * c - b * b, u = .3 - mean[0], v = 2 - mean[1];
  const double expected = -.5 * (c * u * u - 2 * b * u * v + a * v * v) / determinant - .5 * std::log(determinant) -
                          std::log(2 * std::numbers::pi);
  EXPECT_NEAR(workspace.evaluate(std::vector<double>{.3, 2}), expected, 1e-12);
}

TEST(MultiNormal, HasTheSlopesOfItsArguments) {
  constexpr std::size_t kMembers = 3, kGroups = 2;
  Program program;
  const Node x = program.parameters(kGroups * kMembers), mean = program.parameters(kGroups * kMembers);
  const Node scale = program.parameters(kGroups);
  // scale exp(-|i - j|), and more on the diagonal
  std::vector<double> decay, diagonal;
  std::vector<std::uint32_t> groups;
  for (std::uint32_t g = 0; g < kGroups; ++g)
    for (std::size_t i = 0; i < kMembers; ++i)
      for (std::size_t j = 0; j < kMembers; ++j) {
        groups.push_back(g);
        decay.push_back(std::exp(-std::abs(static_cast<double>(i) - static_cast<double>(j))));
        diagonal.push_back(i == j ? .5 : 0);
      }
  const Node covariance = program.apply(Binary::kAdd, program.numbers(diagonal),
                                        program.apply(Binary::kMultiply, program.numbers(decay),
                                                      program.gather(program.apply(Unary::kExp, scale), groups)));
  const Node arguments[] = {mean, covariance};
  program.add_density(multi_normal(program, x, arguments, kMembers));
  Random random(1);
  std::vector<double> start(program.parameter_count());
  for (double& value : start) value = random.normal();
  expect_gradient(program, start);
}

TEST(Coloured, HasTheSlopesOfItsArguments) {
  constexpr std::size_t kMembers = 3;
  Program program;
  const Node z = program.parameters(2 * kMembers), mean = program.parameters(2 * kMembers);
  const Node entries = program.parameters(2 * kMembers * kMembers);
  // Symmetric: x + x^T, and enough on the diagonal
  std::vector<std::uint32_t> transposed;
  std::vector<double> diagonal;
  for (std::uint32_t g = 0; g < 2; ++g)
    for (std::uint32_t i = 0; i < kMembers; ++i)
      for (std::uint32_t j = 0; j < kMembers; ++j) {
        transposed.push_back(g * 9 + j * 3 + i);
        diagonal.push_back(i == j ? 8 : 0);
      }
  const Node covariance = program.apply(Binary::kAdd, program.numbers(diagonal),
                                        program.apply(Binary::kAdd, entries, program.gather(entries, transposed)));
  const Node x = coloured(program, z, mean, covariance, kMembers);
  program.add_density(program.apply(Unary::kSin, x));
  Random random(1);
  std::vector<double> start(program.parameter_count());
  for (double& value : start) value = random.normal();
  expect_gradient(program, start);
  // The first number is that of one normal.
  Program::Workspace workspace(program);
  workspace.evaluate(start);
  EXPECT_NEAR(workspace.values(x)[0], start[6] + std::sqrt(8 + 2 * start[12]) * start[0], 1e-12);
}

TEST(MultiNormal, IsNothingWhereACovarianceIsNone) {
  Program program;
  const Node x = program.parameters(2);
  const Node arguments[] = {program.numbers({0, 0}), program.numbers({1, 2, 2, 1})};
  program.add_density(multi_normal(program, x, arguments, 2));
  std::vector<double> gradient(2);
  EXPECT_EQ(Program::Workspace(program).evaluate(std::vector<double>{.3, 2}, gradient), -kInfinity);
}

TEST(OrderedLogistic, HasTheProbabilitiesOfRanks) {
  Program program;
  const Node ranks = program.numbers({1, 2, 3}), eta = program.parameters(3);
  const Node cuts = program.parameters(2);
  const Node arguments[] = {eta, program.gather(cuts, {0, 1, 0, 1, 0, 1})};
  const Node density = ordered_logistic(program, ranks, arguments, 2);
  program.add_density(density);
  Program::Workspace workspace(program);
  const std::vector<double> x = {.5, .5, .5, -1, 1.2};
  workspace.evaluate(x);
  const double first = sigmoid(-1 - .5), second = sigmoid(1.2 - .5) - first;
  const std::span<const double> values = workspace.values(density);
  EXPECT_NEAR(values[0], std::log(first), 1e-12);
  EXPECT_NEAR(values[1], std::log(second), 1e-12);
  EXPECT_NEAR(values[2], std::log(1 - first - second), 1e-12);
  expect_gradient(program, {.5, -.2, 1.5, -1, 1.2});
}

}  // namespace
}  // namespace fovea::ep
