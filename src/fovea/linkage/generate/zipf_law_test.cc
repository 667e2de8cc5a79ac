// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/zipf_law.h"

#include <gtest/gtest.h>

#include <vector>

#include "fovea/base/random.h"
#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

TEST(ZipfLawTest, DrawsFollowTheLaw) {
  for (const double exponent : {0.75, 0.84, 1.75, 2.5}) {
    const ZipfLaw law(exponent, 12);
    std::vector<double> probabilities;
    for (int r = 0; r < 12; ++r) probabilities.push_back(law.below(r + 1) - law.below(r));
    Random random(1);
    EXPECT_TRUE(testing::draws_follow(probabilities, 20000, [&] { return law.draw(random); })) << exponent;
  }
}

TEST(ZipfLawTest, FallsAsThePowerOfTheRank) {
  const ZipfLaw law(0.84, 28218);
  EXPECT_DOUBLE_EQ(law.below(0), 0);
  EXPECT_DOUBLE_EQ(law.below(28218), 1);
  const auto share = [&](double r) { return law.below(r + 1) - law.below(r); };
  EXPECT_NEAR(share(1000) / share(10000), std::pow(10, 0.84), 0.01);
}

TEST(ZipfLawTest, OneRankIsCertain) {
  Random random(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ZipfLaw(0.84, 1).draw(random), 0u);
}

}  // namespace
}  // namespace fovea::linkage
