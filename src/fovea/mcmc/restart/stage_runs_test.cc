// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/restart/stage_runs.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "tests/support/statistics.h"

namespace fovea::mcmc {
namespace {

const StageGraph kBranching({{.1, .6, .3}, {.05, .6, .35}, {.2, .3, .5}});

/// The stages of the first `steps` steps as one number, drawn one run at a time.
std::size_t first_stages(std::size_t steps, Random& random) {
  StageRuns runs(kBranching);
  std::size_t path = 0;
  StageRuns::Run run;
  for (std::size_t t = 0; t < steps; ++t, --run.steps) {
    if (run.steps == 0) run = runs.next(random);
    path = 3 * path + run.stage;
  }
  return path;
}

TEST(StageRunsTest, StagesFollowTheGraphFromARestartOn) {
  constexpr std::size_t kSteps = 5;
  std::vector<double> law;  // of the stages after the first
  for (std::size_t path = 0; path < 81; ++path) {
    double p = 1;
    std::size_t from = 0;
    for (const std::size_t digit : {27, 9, 3, 1}) {
      const std::size_t to = path / digit % 3;
      p *= kBranching.probability(from, to);
      from = to;
    }
    law.push_back(p);
  }
  Random random(1);
  EXPECT_TRUE(testing::draws_follow(law, 200000, [&] { return first_stages(kSteps, random); }));
}

TEST(StageRunsTest, ARestartThatNeverRepeatsTakesOneStep) {
  StageRuns runs(StageGraph::cycle(std::vector<double>{1, .04, .0002}));
  Random random(2);
  double simplified = 0, full = 0;
  for (int i = 0; i < 2000; ++i) {
    const StageRuns::Run restart = runs.next(random), first = runs.next(random), second = runs.next(random);
    EXPECT_EQ(restart.stage, 0u);
    EXPECT_EQ(restart.steps, 1u);
    EXPECT_EQ(first.stage, 1u);
    EXPECT_EQ(second.stage, 2u);
    simplified += static_cast<double>(first.steps);
    full += static_cast<double>(second.steps);
  }
  // Geometric with mean 1 / p, whose deviation is about its mean: 6 of them.
  EXPECT_NEAR(simplified / 2000, 25, 6 * 25 / std::sqrt(2000));
  EXPECT_NEAR(full / 2000, 5000, 6 * 5000 / std::sqrt(2000));
}

}  // namespace
}  // namespace fovea::mcmc
