// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/marginal_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/graph/draw/model_chains.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/random_graphs.h"
#include "tests/support/two_modes.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kChains = MarginalSampler::kChains;

/// Chains of one temperature that begin at 0, 1, 0, 1, ... everywhere.
ModelChains gibbs_chains(const FactorGraph& graph, std::uint64_t seed) {
  std::vector<Assignment> starts;
  for (std::size_t c = 0; c < kChains; ++c) starts.emplace_back(graph.variable_count(), static_cast<Value>(c % 2));
  return std::move(*ModelChains::build(graph, {}, std::move(starts), Random(seed)));
}

MarginalSampler::Answer answer_after(const FactorGraph& graph, std::uint64_t seed, int rounds, int threads = 1) {
  ModelChains chains = gibbs_chains(graph, seed);
  MarginalSampler sampler(graph, chains.chains());
  for (int round = 0; round < rounds; ++round) sampler.run_round({}, threads);
  return sampler.answer();
}

TEST(MarginalSampler, AgreesWithEnumerationWithinItsErrors) {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 6, .factor_count = 9, .max_cardinality = 3}, seed);
    const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
    const MarginalSampler::Answer answer = answer_after(graph, seed, 100);
    EXPECT_LT(answer.max_r_hat, 1.05);
    EXPECT_GT(answer.min_effective_samples, 500);
    for (std::size_t v = 0; v < expected.marginals.size(); ++v)
      for (std::size_t k = 0; k < expected.marginals[v].size(); ++k)
        EXPECT_NEAR(answer.marginals[v][k], expected.marginals[v][k], 5 * answer.max_standard_error);
  }
}

/// The error reported for a coin is that of repeated runs: their z-scores have a mean square of 1, whose own deviation
/// over 200 runs is .1 or, as an error estimated from 40 and more batches has some of its own, a little more.
TEST(MarginalSampler, ErrorsAreThoseOfRepeatedRuns) {
  const FactorGraph graph = testing::two_modes(2, 1);
  double sum = 0;
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    const MarginalSampler::Answer answer = answer_after(graph, static_cast<std::uint64_t>(run), 40);
    const double z = (answer.marginals[0][0] - .5) / answer.max_standard_error;
    sum += z * z;
  }
  EXPECT_GT(sum / kRuns, .5);
  EXPECT_LT(sum / kRuns, 1.6);
}

TEST(MarginalSampler, ChainsThatAreStuckShow) {
  const MarginalSampler::Answer answer = answer_after(testing::two_modes(12, 30), 1, 40);
  EXPECT_GT(answer.max_r_hat, 2);
  EXPECT_GT(answer.max_standard_error, .02);
  EXPECT_LT(answer.min_effective_samples, 200);
}

TEST(MarginalSampler, DoesNotDependOnThreads) {
  const FactorGraph graph = testing::random_grid(4, 4, 3, 1);
  EXPECT_EQ(answer_after(graph, 1, 40, 3).marginals, answer_after(graph, 1, 40, 1).marginals);
}

TEST(MarginalSampler, ARoundThatIsStoppedLeavesChainsOfEqualLength) {
  const FactorGraph graph = testing::random_grid(4, 4, 2, 1);
  ModelChains chains = gibbs_chains(graph, 1);
  MarginalSampler sampler(graph, chains.chains());
  for (int round = 0; round < 5; ++round) sampler.run_round({}, 1);
  CancelToken cancel;
  cancel.cancel();
  sampler.run_round({.cancel = &cancel}, 1);
  EXPECT_FALSE(sampler.has_errors());
  sampler.run_round({}, 1);
  EXPECT_TRUE(sampler.has_errors());
}

}  // namespace
}  // namespace fovea::graph
