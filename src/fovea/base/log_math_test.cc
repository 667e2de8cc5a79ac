// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/log_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

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

namespace {

TEST(LogCountTest, IsTheLogarithmOfSmallAndLargeCounts) {
  for (const std::size_t n : {1u, 2u, 1000u, 4095u, 4096u, 4000000000u})
    EXPECT_EQ(log_count(n), std::log(static_cast<double>(n))) << n;
}

}  // namespace

namespace {

template <class Real>
void expect_agreement(Real tolerance) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::vector<Real> x(size), expected;
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = -static_cast<Real>(i * i) / 20;
      expected.push_back(std::exp(x[i]));
    }
    if (size > 3) {
      x[3] = -std::numeric_limits<Real>::infinity();
      expected[3] = 0;
    }
    exponentiate(x);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(x[i], expected[i], tolerance * expected[i]);
  }
}

TEST(Exponentiate, MakesZeroOfWhatIsNoNumber) {
  std::vector<float> floats(19, std::numeric_limits<float>::quiet_NaN());
  std::vector<double> doubles(11, std::numeric_limits<double>::quiet_NaN());
  exponentiate(floats);
  exponentiate(doubles);
  EXPECT_EQ(floats, std::vector<float>(19, 0.0f));
  EXPECT_EQ(doubles, std::vector<double>(11, 0.0));
}

TEST(Exponentiate, AgreesWithTheLibrary) {
  expect_agreement<float>(1e-6f);
  expect_agreement<double>(1e-15);
}

}  // namespace

}  // namespace fovea
