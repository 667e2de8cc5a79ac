// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/shuffle.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "tests/support/enumerating_random.h"

namespace fovea {
namespace {

TEST(ShuffleTest, EveryOrderIsEquallyLikely) {
  std::map<std::array<int, 4>, double> orders;
  std::array<int, 4> values;
  testing::EnumeratingRandom().enumerate(
      [&](auto& random) {
        values = {1, 2, 3, 4};
        shuffle(std::span(values), random);
      },
      [&](double p) { orders[values] += p; });
  EXPECT_EQ(orders.size(), 24u);
  for (const auto& [order, p] : orders) EXPECT_NEAR(p, 1.0 / 24, 1e-15);
}

}  // namespace
}  // namespace fovea
