// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/restart/stage_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/expect_error.h"
#include "tests/support/markov_matrix.h"

namespace fovea::mcmc {
namespace {

using testing::Law;
using testing::MarkovMatrix;

const StageGraph kTripleLoop({{.1, .9, 0}, {0, .6, .4}, {.2, .3, .5}});  // stage 2 may go back to 1

TEST(StageGraphTest, KnowsItsStationaryLaw) {
  MarkovMatrix c(3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c.at(i, j) = kTripleLoop.probability(i, j);
  const Law law = c.stationary();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(kTripleLoop.stationary()[i], law[i], 1e-12);
}

TEST(StageGraphTest, CyclesAndPlainRestarts) {
  const StageGraph cycle = StageGraph::cycle(std::vector{1.0, .04, .0002});
  EXPECT_EQ(cycle.probability(0, 1), 1);
  EXPECT_EQ(cycle.probability(2, 0), .0002);
  EXPECT_NEAR(cycle.stationary()[2], 5000 / (1 + 25 + 5000.0), 1e-12);
  EXPECT_NEAR(StageGraph::restarts(.25).stationary()[0], .25, 1e-15);
  EXPECT_EQ(StageGraph::cycle(std::vector{1.0}).probability(0, 0), 1);
}

TEST(StageGraphTest, RefusesWhatMayNeverRestart) {
  const auto refusal = [](std::vector<std::vector<double>> c) {
    return message_of<UsageError>([&] { StageGraph(std::move(c)); });
  };
  EXPECT_THAT(refusal({}), HasSubstr("needs at least"));
  EXPECT_THAT(refusal({{1, 0}}), HasSubstr("2 transitions"));
  EXPECT_THAT(refusal({{.5, .4}, {1, 0}}), HasSubstr("sum to 0.9"));
  EXPECT_THAT(refusal({{1.5, -.5}, {1, 0}}), HasSubstr("not a probability"));
  EXPECT_THAT(refusal({{.5, .5, 0}, {.5, 0, .5}, {0, 0, 1}}), HasSubstr("stage 2 never reaches stage 0"));
}

}  // namespace
}  // namespace fovea::mcmc
