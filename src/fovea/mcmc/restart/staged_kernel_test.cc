// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/restart/staged_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "fovea/base/random.h"
#include "tests/support/expect_error.h"
#include "tests/support/markov_matrix.h"
#include "tests/support/statistics.h"

namespace fovea::mcmc {
namespace {

using ::testing::HasSubstr;
using testing::Law;
using testing::MarkovMatrix;
using testing::message_of;

const StageGraph kLoop({{.1, .9, 0}, {0, .6, .4}, {.2, .3, .5}});  // stage 2 may go back to 1

/// Over (stage, y): C, then A of the new stage.
MarkovMatrix joint_chain(const StageGraph& graph, const std::vector<MarkovMatrix>& chains) {
  const std::size_t n = chains[0].states();
  MarkovMatrix joint(graph.size() * n);
  for (std::size_t z = 0; z < graph.size(); ++z)
    for (std::size_t next = 0; next < graph.size(); ++next)
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t to = 0; to < n; ++to)
          joint.at(z * n + y, next * n + to) = graph.probability(z, next) * chains[next].at(y, to);
  return joint;
}

class StagedKernelTest : public ::testing::Test {
 protected:
  StagedKernelTest() {
    Random random(1);
    chains_ = {MarkovMatrix::restart(testing::random_law(3, random)), testing::random_chain(3, random),
               testing::random_chain(3, random)};
    std::vector<StagedKernel<std::size_t, Random>::Transition> transitions;
    for (const MarkovMatrix& chain : chains_)
      transitions.emplace_back([&chain](std::size_t& y, Random& r) { y = chain.step(y, r); });
    kernel_.emplace(kLoop, std::move(transitions));
  }

  std::vector<MarkovMatrix> chains_;
  std::optional<StagedKernel<std::size_t, Random>> kernel_;
};

TEST_F(StagedKernelTest, DrawsFromTheStationaryLaw) {
  Random random(2);
  std::uint64_t steps = 0;
  EXPECT_TRUE(testing::draws_follow(joint_chain(kLoop, chains_).stationary(), 60000, [&] {
    std::size_t y = 0;
    const auto drawn = kernel_->draw(y, random);
    steps += drawn.steps;
    return 3 * drawn.stage + y;
  }));
  EXPECT_GT(steps, 60000u);
}

TEST_F(StagedKernelTest, AStepIsAStageAndItsChain) {
  Random random(3);
  const MarkovMatrix joint = joint_chain(kLoop, chains_);
  EXPECT_TRUE(testing::draws_follow(joint.row(3 * 2 + 1), 40000, [&] {
    std::size_t y = 1, stage = 2;
    kernel_->step(y, stage, random);
    return 3 * stage + y;
  }));
}

TEST(StageGraphTest, KnowsItsStationaryLawAndItsWayBack) {
  MarkovMatrix c(3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c.at(i, j) = kLoop.probability(i, j);
  const Law law = c.stationary();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(kLoop.stationary()[i], law[i], 1e-12);
  const auto reversed = kLoop.reversed();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(law[i] * reversed[i][j], law[j] * kLoop.probability(j, i), 1e-12);
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
  EXPECT_THAT(refusal({{1.5, -.5}, {1, 0}}), HasSubstr("no probability"));
  EXPECT_THAT(refusal({{.5, .5, 0}, {.5, 0, .5}, {0, 0, 1}}), HasSubstr("stage 2 never reaches stage 0"));
}

}  // namespace
}  // namespace fovea::mcmc
