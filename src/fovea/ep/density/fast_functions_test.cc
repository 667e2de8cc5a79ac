// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/fast_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "tests/support/instruction_sets.h"

namespace fovea::ep {
namespace {

using FastFunction = void (*)(std::span<const double>, std::span<double>);

std::vector<double> arguments_of_all_sizes() {
  std::vector<double> x = {0, -0., 1, -1, 1e-18, -1e-18, 1e-8, 700, -700, 710, -750, 1e5, -1e5, 1e-310, 1e305};
  for (const double special : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) x.push_back(special);
  Random random(1);
  for (int i = 0; i < 2000; ++i) x.push_back(random.normal() * std::pow(10, 4 * random.normal() - 2));
  return x;
}

void compare(FastFunction fast, double (*exact)(double)) {
  const std::vector<double> x = arguments_of_all_sizes();
  std::vector<double> results(x.size());
  fast(x, results);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = exact(x[i]);
    if (std::isnan(expected)) EXPECT_TRUE(std::isnan(results[i])) << x[i];
    else if (std::isinf(expected)) EXPECT_EQ(results[i], expected) << x[i];
    else EXPECT_NEAR(results[i], expected, 2e-15 * std::abs(expected) + 1e-320) << x[i];
  }
  // Alone, a number has the result that it has among others.
  for (const std::size_t i : {std::size_t{30}, std::size_t{57}, std::size_t{101}}) {
    double one = 0;
    fast({&x[i], 1}, {&one, 1});
    EXPECT_TRUE(one == results[i] || (std::isnan(one) && std::isnan(results[i]))) << x[i];
  }
}

TEST(FastFunctions, AgreeWithTheStandardLibraryOnEveryInstructionSet) {
  fovea::testing::for_each_instruction_set([] {
    compare(exp_of, [](double x) { return std::exp(x); });
    compare(log_of, [](double x) { return std::log(x); });
    compare(log1p_of, [](double x) { return std::log1p(x); });
    compare(logistic_of, [](double x) { return 1 / (1 + std::exp(-x)); });
    compare(softplus_of, [](double x) { return std::max(x, 0.) + std::log1p(std::exp(-std::abs(x))); });
  });
}

}  // namespace
}  // namespace fovea::ep
