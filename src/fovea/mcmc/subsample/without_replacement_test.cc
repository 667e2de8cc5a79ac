// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/without_replacement.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "fovea/base/random.h"
#include "tests/support/enumerating_random.h"

namespace fovea::mcmc {
namespace {

TEST(WithoutReplacementTest, EveryOrderedDrawIsEquallyLikely) {
  std::map<std::vector<std::uint32_t>, double> law;
  std::vector<std::uint32_t> drawn;
  WithoutReplacement draws;
  testing::EnumeratingRandom().enumerate(
      [&](auto& random) {
        draws.reset(4);
        drawn.clear();
        for (int i = 0; i < 3; ++i) drawn.push_back(draws.next(random));
      },
      [&](double p) { law[drawn] += p; });
  EXPECT_EQ(law.size(), 24u);
  for (const auto& [order, p] : law) EXPECT_NEAR(p, 1.0 / 24, 1e-15);
}

TEST(WithoutReplacementTest, ServesPopulationsOfAnySizeInTurn) {
  Random random(1);
  WithoutReplacement draws;
  for (const std::size_t size : {5u, 100u, 1u, 64u}) {
    draws.reset(size);
    std::vector<bool> seen(size, false);
    while (draws.left() > 0) {
      const std::uint32_t number = draws.next(random);
      ASSERT_LT(number, size);
      ASSERT_FALSE(seen[number]);
      seen[number] = true;
      if (size == 100 && draws.left() == 50) break;  // not all are drawn
    }
  }
}

}  // namespace
}  // namespace fovea::mcmc
