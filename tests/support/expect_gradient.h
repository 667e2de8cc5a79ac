// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/ep/density/program.h"

namespace fovea::testing {

/// Expects that the gradient of a program agrees with central differences at these parameters.
inline void expect_gradient(const ep::Program& program, std::vector<double> at) {
  ep::Program::Workspace workspace(program);
  std::vector<double> gradient(at.size());
  const double density = workspace.evaluate(at, gradient);
  ASSERT_TRUE(std::isfinite(density));
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double step = 1e-5 * (1 + std::abs(at[i])), middle = at[i];
    at[i] = middle + step;
    const double above = workspace.evaluate(at);
    at[i] = middle - step;
    const double below = workspace.evaluate(at);
    at[i] = middle;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 1e-6 * (1 + std::abs(gradient[i]))) << i;
  }
}

}  // namespace fovea::testing
