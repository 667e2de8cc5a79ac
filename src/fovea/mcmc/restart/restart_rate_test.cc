// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/restart/restart_rate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "tests/support/markov_matrix.h"

namespace fovea::mcmc {
namespace {

TEST(RestartRateTest, TheRateOfAGuaranteeKeepsIt) {
  Random random(1);
  for (const double distance : {.5, .1, .001})
    for (const std::uint64_t steps : {1u, 3u, 20u}) {
      const double epsilon = restart_rate_for(distance, steps);
      const testing::MarkovMatrix restart = testing::MarkovMatrix::restart(testing::random_law(5, random));
      const testing::MarkovMatrix chain =
          testing::MarkovMatrix::identity(5).mixed_with(restart, epsilon);  // which mixes by restarts alone
      const testing::Law law = chain.stationary();
      for (std::size_t start = 0; start < 5; ++start) {
        testing::Law now(5);
        now[start] = 1;
        for (std::uint64_t t = 0; t < steps; ++t) now = chain.after_step(now);
        double apart = 0;
        for (std::size_t i = 0; i < 5; ++i) apart += std::abs(now[i] - law[i]) / 2;
        EXPECT_LE(apart, distance * (1 + 1e-12));
      }
    }
}

/// Of a draw, if a step halves what is missing.
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
