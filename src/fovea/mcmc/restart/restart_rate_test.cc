// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/restart/restart_rate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "tests/support/markov_matrix.h"

namespace fovea::mcmc {
namespace {

/// Expected score of a draw, if a step halves what is missing.
double halving_score(double epsilon) {
  double score = 0;
  for (int t = 0; t < 2000; ++t) score += epsilon * std::pow(1 - epsilon, t) * (1 - std::pow(.5, t));
  return score;
}

TEST(RestartRateTest, DearStartsAreWorthLongerRuns) {
  double last = 1;
  for (const double start_cost : {.1, 1.0, 10.0, 100.0}) {
    const double rate = best_restart_rate(halving_score, start_cost);
    EXPECT_LT(rate, last);
    last = rate;
  }
}

TEST(RestartRateTest, StepsThatDoNotGainAreNotTaken) {
  EXPECT_EQ(best_restart_rate([](double epsilon) { return epsilon; }, 5), 1);
  EXPECT_EQ(best_restart_rate([](double) { return 3.0; }, 5), 1);
}

}  // namespace
}  // namespace fovea::mcmc
