// SPDX-License-Identifier: Apache-2.0
#include "tests/support/gradient_check.h"

#include <limits>

namespace fovea::testing {
namespace {

double value(const std::vector<double>& x) { return std::exp(x[0]) * std::sin(x[1]) + 3 * x[2]; }

std::vector<double> gradient(const std::vector<double>& x) {
  return {std::exp(x[0]) * std::sin(x[1]), std::exp(x[0]) * std::cos(x[1]), 3};
}

const std::vector<double> kPoint = {0.3, -20.0, 5.0};

TEST(GradientCheckTest, AcceptsTheRightGradient) { EXPECT_TRUE(gradient_matches(value, kPoint, gradient(kPoint))); }

TEST(GradientCheckTest, CatchesOneWrongComponent) {
  for (std::size_t i = 0; i < kPoint.size(); ++i) {
    std::vector<double> wrong = gradient(kPoint);
    wrong[i] *= 1 + 1e-5;
    wrong[i] += 1e-6;
    EXPECT_FALSE(gradient_matches(value, kPoint, wrong)) << i;
  }
}

TEST(GradientCheckTest, CatchesNotANumberAndWrongSizes) {
  std::vector<double> wrong = gradient(kPoint);
  wrong[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(gradient_matches(value, kPoint, wrong));
  wrong.pop_back();
  EXPECT_FALSE(gradient_matches(value, kPoint, wrong));
}

}  // namespace
}  // namespace fovea::testing
