// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/draw_chains.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "fovea/base/error.h"
#include "fovea/graph/draw/model_chains.h"
#include "fovea/mcmc/diagnostics.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/expect_error.h"
#include "tests/support/latin_squares.h"
#include "tests/support/random_graphs.h"
#include "tests/support/two_modes.h"

namespace fovea::graph {
namespace {

TEST(DrawChains, DrawsFromTheModel) {
  const FactorGraph graph = testing::random_graph({.variable_count = 5, .factor_count = 7}, 4);
  const testing::EnumeratedGraph expected = testing::enumerate_graph(graph);
  std::vector<std::vector<double>> first(4);  // [chain][draw]: y_0 == 0
  const DrawOptions options = {.chains = 4, .draws = 4000, .warm_up = 50};
  const DrawSummary summary =
      draw_chains(graph, {}, options, {.random = Random(3)}, [&](int, std::span<const Assignment> chains) {
        for (std::size_t c = 0; c < chains.size(); ++c) first[c].push_back(chains[c][0] == 0 ? 1 : 0);
      });
  EXPECT_EQ(summary.draws, 4000);
  EXPECT_TRUE(summary.temperatures.empty());
  double mean = 0;
  for (const auto& chain : first)
    for (const double x : chain) mean += x / 16000;
  // 5 standard errors: one false failure in 2e6 runs.
  EXPECT_NEAR(mean, expected.marginals[0][0], 5 * mcmc::standard_error_of_mean(first));
  EXPECT_LT(mcmc::rank_normalised_r_hat(first), 1.02);
}

TEST(DrawChains, KeepsEvidenceAndDependsOnTheSeedAlone) {
  const FactorGraph graph = testing::random_grid(3, 3, 3, 2);
  const auto draws_of = [&](int threads) {
    std::vector<Assignment> all;
    draw_chains(graph, {{.variable = 4, .value = 2}}, {.chains = 3, .draws = 5, .warm_up = 3, .thin = 2},
                {.threads = threads, .random = Random(7)},
                [&](int, std::span<const Assignment> chains) { all.insert(all.end(), chains.begin(), chains.end()); });
    return all;
  };
  const std::vector<Assignment> draws = draws_of(1);
  ASSERT_EQ(draws.size(), 15u);
  for (const Assignment& draw : draws) EXPECT_EQ(draw[4], 2);
  EXPECT_EQ(draws_of(4), draws);
}

TEST(DrawChains, TemperedChainsAgreeOnWhatGibbsChainsDoNot) {
  const FactorGraph graph = testing::two_modes(12, 11);
  const auto draws_of = [&](const DrawOptions& options, int threads, DrawSummary& summary) {
    std::vector<std::vector<double>> first(4);  // [chain][draw]
    summary = draw_chains(graph, {}, options, {.threads = threads, .random = Random(2)},
                          [&](int, std::span<const Assignment> chains) {
                            for (std::size_t c = 0; c < chains.size(); ++c) first[c].push_back(chains[c][0]);
                          });
    return first;
  };
  DrawSummary summary;
  EXPECT_GT(mcmc::rank_normalised_r_hat(draws_of({.draws = 500}, 1, summary)), 1.5);
  const DrawOptions tempered = {.draws = 500, .temperatures = 8, .hottest = 10};
  const auto draws = draws_of(tempered, 1, summary);
  EXPECT_LT(mcmc::rank_normalised_r_hat(draws), 1.1);
  ASSERT_EQ(summary.trades.size(), 7u);
  EXPECT_NEAR(summary.temperatures.back(), 10, 1e-9);
  for (const double share : summary.trades) EXPECT_GT(share, .2);
  EXPECT_EQ(draws_of(tempered, 3, summary), draws);
}

TEST(DrawChains, DrawsExactlyFromTheChainWithRestarts) {
  const FactorGraph graph = testing::two_modes(12, 11);
  const auto first_of = [&](const DrawOptions& options, int threads, DrawSummary& summary) {
    std::vector<double> first;
    summary = draw_chains(graph, {}, options, {.threads = threads, .random = Random(5)},
                          [&](int, std::span<const Assignment> chains) {
                            for (const Assignment& values : chains) first.push_back(values[0]);
                          });
    return first;
  };
  DrawSummary summary;
  const DrawOptions restarts = {.chains = 4, .draws = 1000, .restart_rate = .1};
  const std::vector<double> first = first_of(restarts, 1, summary);
  // Both modes have probability 1/2 by symmetry; the draws are independent: 5 standard errors.
  EXPECT_NEAR(std::accumulate(first.begin(), first.end(), 0.) / 4000, .5, 5 * .5 / std::sqrt(4000));
  EXPECT_NEAR(summary.mean_sweeps, 9, 5 * std::sqrt(90. / 4000));  // of a geometric law: (1 - e) / e, (1 - e) / e^2
  EXPECT_EQ(first_of(restarts, 3, summary), first);
}

TEST(DrawChains, RefusesWhatRestartsDoNotHeed) {
  EXPECT_THAT(testing::message_of<UsageError>([] { check({.warm_up = 10, .restart_rate = .1}); }),
              HasSubstr("warm-up"));
  EXPECT_THAT(testing::message_of<UsageError>([] { check({.thin = 3, .restart_rate = .1}); }), HasSubstr("thin"));
  EXPECT_NO_THROW(check({.temperatures = 4, .restart_rate = .1}));
  EXPECT_NO_THROW(check({.warm_up = 10, .thin = 3}));
}

TEST(DrawChains, EndsEarlyOnlyWhenStopped) {
  CancelToken cancel;
  const FactorGraph graph = testing::random_grid(3, 3, 2, 2);
  const DrawSummary summary =
      draw_chains(graph, {}, {.draws = 100}, {.stop = {.cancel = &cancel}}, [&](int draw, std::span<const Assignment>) {
        if (draw == 9) cancel.cancel();
      });
  EXPECT_EQ(summary.draws, 10);
}

TEST(FindInitialStates, AreApartWhereConstraintsLeaveMuch) {
  const FactorGraph graph = testing::latin_squares(5);
  const std::vector<Assignment> starts = find_initial_states(graph, 4, {.random = Random(1)});
  EXPECT_EQ(std::set(starts.begin(), starts.end()).size(), 4u);
}

TEST(FindInitialStates, AreOfPositiveProbability) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 8, .factor_count = 12, .forbidden = 0.4, .is_feasible = true}, seed);
    for (const Assignment& start : find_initial_states(graph, 3, {.random = Random(seed)}))
      EXPECT_GT(graph.log_score(start), -std::numeric_limits<double>::infinity());
  }
}

}  // namespace
}  // namespace fovea::graph
