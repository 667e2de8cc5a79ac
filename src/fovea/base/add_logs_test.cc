// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/add_logs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/infinity.h"

namespace fovea {
namespace {

TEST(AddLogs, IsTheLogOfTheSum) {
  EXPECT_NEAR(add_logs(std::log(3), std::log(5)), std::log(8), 1e-15);
  EXPECT_NEAR(add_logs(std::log(5), std::log(3)), std::log(8), 1e-15);
}

TEST(AddLogs, NeitherOverflowsNorUnderflows) {
  EXPECT_DOUBLE_EQ(add_logs(1e4, 1e4), 1e4 + std::log(2));
  EXPECT_DOUBLE_EQ(add_logs(-1e4, -1e4), -1e4 + std::log(2));
  EXPECT_EQ(add_logs(0, -1e4), 0);
}

TEST(AddLogs, TakesTheLogOfZero) {
  EXPECT_EQ(add_logs(-kInfinity, 2), 2);
  EXPECT_EQ(add_logs(2, -kInfinity), 2);
  EXPECT_EQ(add_logs(-kInfinity, -kInfinity), -kInfinity);
}

}  // namespace
}  // namespace fovea
