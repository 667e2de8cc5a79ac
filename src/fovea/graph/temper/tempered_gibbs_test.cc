// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/temper/tempered_gibbs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/mcmc/fixed_schedule.h"
#include "tests/support/enumerating_random.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

static_assert(mcmc::ConditionalModel<TemperedModel<FactorGraph>>);
static_assert(!mcmc::kLeavesTargetInvariant<TemperedGibbs<FactorGraph>, mcmc::FixedSchedule>);

std::vector<double> conditional(const FactorGraph& graph, VariableId v, Assignment y, double temperature) {
  std::vector<double> law(graph.cardinality(v));
  double total = 0;
  for (y[v] = 0; y[v] < law.size(); ++y[v]) total += law[y[v]] = std::exp(graph.log_score(y) / temperature);
  for (double& p : law) p /= total;
  return law;
}

TEST(TemperedGibbsTest, DrawsFromTheTemperedConditional) {
  for (std::uint32_t seed = 0; seed < 10; ++seed)
    for (const double temperature : {.3, 1.0, 4.0}) {
      const FactorGraph graph = testing::random_graph({.variable_count = 5}, seed);
      const TemperedGibbs kernel(graph, temperature);
      const Assignment start(5, 1);
      for (VariableId v = 0; v < 5; ++v) {
        std::vector<double> drawn(graph.cardinality(v));
        Assignment y;
        testing::EnumeratingRandom random;
        random.enumerate(
            [&](testing::EnumeratingRandom& r) {
              y = start;
              kernel.step(y, {&v, 1}, r, {});
            },
            [&](double probability) { drawn[y[v]] += probability; });
        const std::vector<double> expected = conditional(graph, v, start, temperature);
        for (std::size_t k = 0; k < drawn.size(); ++k) EXPECT_NEAR(drawn[k], expected[k], 1e-6);
      }
    }
}

TEST(TemperedGibbsTest, GainsAreNatsOfTheModelAndEntropiesOfTheDraw) {
  const double temperature = .4;
  const FactorGraph graph = testing::random_graph({.variable_count = 8, .factor_count = 14}, 3);
  TemperedGibbs kernel(graph);
  kernel.set_temperature(temperature);
  Random random(2);
  Assignment y(8, 0);
  for (int step = 0; step < 100; ++step) {
    const VariableId v = random.uniform_index(8);
    const double before = graph.log_score(y);
    const std::vector<double> law = conditional(graph, v, y, temperature);
    double entropy = 0, mean = 0, best = 0;
    Assignment z = y;
    for (z[v] = 0; z[v] < law.size(); ++z[v]) {
      entropy -= law[z[v]] * std::log(law[z[v]]);
      mean += law[z[v]] * (graph.log_score(z) - before);
      best = std::max(best, graph.log_score(z) - before);
    }
    mcmc::SiteInfo site;
    kernel.step(y, {&v, 1}, random, std::span<mcmc::SiteInfo>(&site, 1));
    EXPECT_NEAR(site.log_gain, graph.log_score(y) - before, 1e-4);
    EXPECT_NEAR(site.mean_gain, mean, 1e-4);
    EXPECT_NEAR(site.best_gain, best, 1e-4);
    EXPECT_NEAR(site.entropy, entropy, 1e-4);
  }
}

}  // namespace
}  // namespace fovea::graph
