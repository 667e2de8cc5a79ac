// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/input_scaling.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace fovea::regress {
namespace {

TEST(InputScaling, CentresWhatVariesAndKnowsWhatDoesNot) {
  const RegressionExample a = {.tree = {}, .inputs = {1, 7, 10}, .target = {}};
  const RegressionExample b = {.tree = {}, .inputs = {3, 7, 30}, .target = {}};
  const std::array<const RegressionExample*, 2> both = {&a, &b};
  const InputScaling scaling(both);
  ASSERT_EQ(scaling.size(), 2U);
  EXPECT_EQ(scaling.input(1), 2U);
  EXPECT_EQ(scaling.scaled(0, a.inputs), -1);
  EXPECT_EQ(scaling.scaled(1, b.inputs), 1);
  EXPECT_TRUE(scaling.knows(std::vector<double>{100, 7, -5}));
  EXPECT_FALSE(scaling.knows(std::vector<double>{1, 7.5, 10}));
}

}  // namespace
}  // namespace fovea::regress
