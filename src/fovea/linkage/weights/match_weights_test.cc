// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_weights.h"

#include <gtest/gtest.h>

#include <vector>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

const MatchWeights kWeights{.prior_log_odds = -4.1, .weights = {{0, -1.0 / 3, 2e-17}, {.5, 7}}};

TEST(MatchWeights, ScoreIsTheSum) {
  EXPECT_DOUBLE_EQ(kWeights.score(std::vector<Level>{1, 0}), -4.1 - 1.0 / 3 + .5);
  EXPECT_DOUBLE_EQ(kWeights.score(std::vector<Level>{0, 1}), -4.1 + 7);
}

TEST(MatchWeights, MisuseIsABug) {
  EXPECT_THROW(kWeights.score(std::vector<Level>{1}), InternalError);
  EXPECT_THROW(kWeights.score(std::vector<Level>{3, 0}), InternalError);
}

}  // namespace
}  // namespace fovea::linkage
