// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/random_features.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea::regress {
namespace {

RegressionExample wavy(double x, double y) {
  return {.tree = {}, .inputs = {x, y}, .target = {std::sin(x) + .3 * x * y}};
}

RandomFeatures waves_of(int examples) {
  RandomFeatures regressor(
      {},
      [](const RegressionExample& example, std::span<const double> predicted) {
        return std::pow(predicted[0] - example.target[0], 2);
      },
      Random(1));
  Random random(2);
  for (int i = 0; i < examples; ++i) regressor.add(wavy(random.normal(), random.normal()));
  return regressor;
}

Votes vote_of(const RandomFeatures& regressor, double x, double y) {
  Votes votes;
  regressor.predict({}, std::vector{x, y}, votes);
  return votes;
}

TEST(RandomFeatures, LearnsASmoothFunction) {
  const RandomFeatures regressor = waves_of(2000);
  double worst = 0;
  for (double x = -1.5; x < 1.6; x += .5)
    for (double y = -1.5; y < 1.6; y += .5)
      worst = std::max(worst, std::abs(vote_of(regressor, x, y).predicted(0)[0] - wavy(x, y).target[0]));
  EXPECT_LT(worst, .01);
}

TEST(RandomFeatures, DoubtsWhatIsFarFromWhatWasSeen) {
  const RandomFeatures regressor = waves_of(500);
  EXPECT_GT(vote_of(regressor, 20, 20).doubt(0), 100 * vote_of(regressor, 0, 0).doubt(0));
}

TEST(RandomFeatures, SaysNothingBeforeItCanScaleItsInputs) {
  EXPECT_EQ(vote_of(waves_of(10), 0, 0).count(), 0U);
  EXPECT_EQ(vote_of(waves_of(60), 0, 0).count(), 1U);
}

}  // namespace
}  // namespace fovea::regress
