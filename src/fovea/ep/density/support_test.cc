// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace fovea::ep {
namespace {

/// The gradient of what was added to the density, and of a function of the unknown numbers, by central differences.
void expect_gradient(const Support& support, std::size_t size, std::size_t group, std::vector<double> at) {
  Program program;
  const Node x = add_unknown(program, support, size, group);
  ASSERT_EQ(program.parameter_count(), at.size());
  std::vector<double> weights;
  for (std::size_t i = 0; i < size; ++i) weights.push_back(std::cos(static_cast<double>(i)));
  program.add_density(program.apply(Binary::kMultiply, program.numbers(weights), program.apply(Unary::kSin, x)));
  Program::Workspace workspace(program);
  std::vector<double> gradient(at.size());
  workspace.evaluate(at, gradient);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double middle = at[i], step = 1e-6;
    at[i] = middle + step;
    const double above = workspace.evaluate(at);
    at[i] = middle - step;
    const double below = workspace.evaluate(at);
    at[i] = middle;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 1e-7) << i;
  }
}

TEST(Support, HasTheGradientsOfItsChanges) {
  expect_gradient(Support::real(), 2, 1, {.4, -2});
  expect_gradient(Support::positive(), 2, 1, {.4, -2});
  expect_gradient({.high = 3}, 2, 1, {.4, -2});
  expect_gradient({.low = -1, .high = 3}, 2, 1, {.4, -2});
  expect_gradient({.kind = Support::Kind::kSimplex}, 8, 4, {.4, -2, .3, 1, .2, -.5});
  expect_gradient({.kind = Support::Kind::kOrdered}, 6, 3, {.4, -2, .3, 1, .2, -.5});
}

// A density that is constant in x must be one in x, not in u: the integral over u is the size of the support.
TEST(Support, IntegratesToTheSizeOfTheSupport) {
  const auto integral = [](const Support& support, std::size_t size, std::size_t group) {
    Program program;
    add_unknown(program, support, size, group);
    Program::Workspace workspace(program);
    const double step = .05;
    double sum = 0;
    std::vector<double> u(program.parameter_count());
    if (u.size() == 1)
      for (u[0] = -30; u[0] < 30; u[0] += step) sum += step * std::exp(workspace.evaluate(u));
    else
      for (u[0] = -20; u[0] < 20; u[0] += step)
        for (u[1] = -20; u[1] < 20; u[1] += step) sum += step * step * std::exp(workspace.evaluate(u));
    return sum;
  };
  EXPECT_NEAR(integral({.low = -1, .high = 3}, 1, 1), 4, 1e-6);
  EXPECT_NEAR(integral({.kind = Support::Kind::kSimplex}, 2, 2), 1, 1e-6);
  EXPECT_NEAR(integral({.kind = Support::Kind::kSimplex}, 3, 3), .5, 1e-6);  // the triangle x + y < 1
}

TEST(Support, StartsInTheMiddle) {
  Program program;
  const Node interval = add_unknown(program, {.low = -1, .high = 3}, 1);
  const Node simplex = add_unknown(program, {.kind = Support::Kind::kSimplex}, 4, 4);
  const Node ordered = add_unknown(program, {.kind = Support::Kind::kOrdered}, 3, 3);
  Program::Workspace workspace(program);
  workspace.evaluate(std::vector<double>(program.parameter_count()));
  EXPECT_DOUBLE_EQ(workspace.values(interval)[0], 1);
  for (const double p : workspace.values(simplex)) EXPECT_NEAR(p, .25, 1e-15);
  EXPECT_DOUBLE_EQ(workspace.values(ordered)[2], 2);
}

}  // namespace
}  // namespace fovea::ep
