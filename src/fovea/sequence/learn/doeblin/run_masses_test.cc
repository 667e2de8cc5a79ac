// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/run_masses.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea::sequence {
namespace {

TEST(RunMassesTest, MeansAndTheirErrorAreThoseOfRuns) {
  RunMasses masses;
  EXPECT_EQ(masses.mean(), 0);
  masses.add({.1, .2});
  masses.add({.1});
  masses.add({.1, 0, .6});
  EXPECT_EQ(masses.run_count(), 3u);
  EXPECT_EQ(masses.transitions(), 3u);
  EXPECT_NEAR(masses.total(), 1.1, 1e-15);
  EXPECT_NEAR(masses.mean(), 1.1 / 3, 1e-15);
  const double mean = 1.1 / 3;
  const double squares = std::pow(.3 - mean, 2) + std::pow(.1 - mean, 2) + std::pow(.7 - mean, 2);
  EXPECT_NEAR(masses.error(), std::sqrt(squares / 2 / 3), 1e-15);
}

TEST(RunMassesTest, OthersAreThoseThatCameSoFar) {
  RunMasses masses;
  masses.add({.1, .2});
  masses.add({.3});
  masses.add({.5, .4, .6});
  EXPECT_NEAR(masses.mean_of_others(0, 0), .4, 1e-15);
  EXPECT_NEAR(masses.mean_of_others(0, 1), .4, 1e-15);
  EXPECT_NEAR(masses.mean_of_others(2, 1), .2, 1e-15);
  EXPECT_EQ(masses.mean_of_others(2, 2), 0) << "alone";
}

}  // namespace
}  // namespace fovea::sequence
