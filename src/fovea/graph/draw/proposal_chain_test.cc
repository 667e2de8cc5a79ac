// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/proposal_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/graph/draw/draw_chains.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/enumerating_random.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_graphs.h"

namespace fovea::graph {
namespace {

std::vector<VariableId> variables_of(const FactorGraph& graph) {
  std::vector<VariableId> all(graph.variable_count());
  std::iota(all.begin(), all.end(), VariableId{0});
  return all;
}

/// The gap of a kernel that visits all variables once.
double kernel_gap(const FactorGraph& graph, const mcmc::Exactness& exactness) {
  const ProposalFactors factors = *ProposalFactors::build(graph);
  const std::vector<VariableId> batch = variables_of(graph);
  return testing::invariance_gap(testing::law_of(graph), [&](Assignment y, testing::EnumeratingRandom& random) {
    ProposalKernel(factors, exactness).step(y, batch, random);
    return y;
  });
}

TEST(ProposalKernelTest, LeavesTheLawInvariantIfExact) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 3, .factor_count = 6, .max_arity = 3, .shared_tables = 0.3}, seed);
    EXPECT_LT(kernel_gap(graph, {}), 1e-12) << seed;
  }
}

TEST(ProposalKernelTest, LeavesTheLawInvariantUnderHardConstraintsIfExact) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 3, .factor_count = 5, .forbidden = 0.3, .is_feasible = true}, seed);
    EXPECT_LT(kernel_gap(graph, {}), 1e-12) << seed;
  }
}

/// Variables of two or three values in a ring, each pair joined by this many factors of its own.
FactorGraph ring_of_hubs(std::size_t factors_per_pair, std::uint64_t seed) {
  Random random(seed);
  FactorGraph::Builder builder;
  const std::vector<std::size_t> values = {2, 3, 2, 2};
  for (const std::size_t count : values) builder.add_variable(count);
  for (VariableId v = 0; v < values.size(); ++v) {
    const std::vector<VariableId> scope = {v, static_cast<VariableId>((v + 1) % values.size())};
    std::vector<double> scores(values[scope[0]] * values[scope[1]]);
    for (double& score : scores) score = random.normal() / 2;
    for (std::size_t f = 0; f < factors_per_pair; ++f) {
      std::vector<double> noisy = scores;
      for (double& score : noisy) score = (score + random.normal()) / static_cast<double>(factors_per_pair);
      builder.add_factor(scope, noisy);
    }
  }
  return builder.build();
}

/// Largest error of a marginal after `sweeps` sweeps.
struct ChainOutcome {
  double error = 0;
  ProposalWork work = {};
};
ChainOutcome run_chain(const FactorGraph& graph, const char* exactness, std::size_t sweeps) {
  const ProposalFactors factors = *ProposalFactors::build(graph);
  ProposalChain chain(factors, mcmc::Exactness::parse(exactness), Assignment(graph.variable_count(), 0), Random(5));
  std::vector<std::vector<double>> marginals = testing::enumerate_graph(graph).marginals;
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    EXPECT_TRUE(chain.sweep(1, {}));
    for (std::size_t v = 0; v < marginals.size(); ++v)
      marginals[v][chain.values()[v]] -= 1 / static_cast<double>(sweeps);
  }
  ChainOutcome outcome{.work = chain.work()};
  for (const std::vector<double>& marginal : marginals)
    for (const double error : marginal) outcome.error = std::max(outcome.error, std::abs(error));
  return outcome;
}

// A draw's autocorrelation time in these chains is below 6 sweeps (seven eighths of the visits propose, and more than
// a third of the proposals are accepted): 5 standard errors of 20000 sweeps are below 5 sqrt(6 / 4 / 20000) = .044.
constexpr std::size_t kSweeps = 20000;
constexpr double kNoise = 0.044;

TEST(ProposalChainTest, ExactHasTheMarginalsOfTheModelAndLooksAtFewerFactors) {
  const ChainOutcome outcome = run_chain(ring_of_hubs(200, 3), "exact", kSweeps);
  EXPECT_LT(outcome.error, kNoise);
  EXPECT_LT(outcome.work.looked_at, outcome.work.factors);
  EXPECT_EQ(outcome.work.by_bounds, outcome.work.proposals);
}

// If every decision errs with probability at most e, one visit moves the law by at most e in total variation; the ring
// forgets an error within about the same 6 sweeps of 4 visits, so marginals are off by at most 24 e. It is far less.
TEST(ProposalChainTest, BoundedStaysNearAndLooksAtAPart) {
  const ChainOutcome outcome = run_chain(ring_of_hubs(1000, 3), "bounded:0.01", kSweeps);
  EXPECT_LT(outcome.error, kNoise + 0.01);
  EXPECT_LT(static_cast<double>(outcome.work.looked_at), 0.5 * static_cast<double>(outcome.work.factors));
  EXPECT_GT(outcome.work.by_draws, 0.9 * static_cast<double>(outcome.work.proposals));
}

/// A stream whose next exponential draw, which is -log u, is known.
struct KnownThreshold {
  Random random{1};
  double next = 0;
  double exponential() const { return next; }
  bool bernoulli_log(double log_p) { return random.bernoulli_log(log_p); }
  std::uint32_t uniform_index(std::uint32_t n) { return random.uniform_index(n); }
};

// Of 2000 decisions that each err with probability .05, 148 or more are wrong with probability below 1e-6.
TEST(ProposalKernelTest, BoundedDecisionsErrNoMoreOftenThanStated) {
  const FactorGraph graph = ring_of_hubs(1000, 3);
  const ProposalFactors factors = *ProposalFactors::build(graph);
  mcmc::PlannedRule rule(mcmc::Exactness::parse("bounded:0.05"));
  Random random(9);
  KnownThreshold stream;
  int wrong = 0;
  std::size_t looked_at = 0, all = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Assignment y;
    for (VariableId v = 0; v < graph.variable_count(); ++v)
      y.push_back(static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(graph.cardinality(v)))));
    const auto v = static_cast<VariableId>(random.uniform_index(static_cast<std::uint32_t>(y.size())));
    const ValueChange change(factors, v, y, static_cast<Value>((y[v] + 1u) % graph.cardinality(v)));
    stream.next = random.exponential();
    const mcmc::Decision decision = rule.decide(change, 0, stream);
    wrong += decision.accepted != (mcmc::total_difference(change) > -stream.next);
    looked_at += decision.factors;
    all += change.size();
  }
  EXPECT_LT(wrong, 148);
  EXPECT_LT(looked_at * 5, all);
}

TEST(ProposalChainTest, AFractionIsAFraction) {
  const ChainOutcome outcome = run_chain(ring_of_hubs(1000, 3), "fraction:0.25", 2000);
  EXPECT_EQ(outcome.work.looked_at * 4, outcome.work.factors);
  EXPECT_EQ(outcome.work.by_draws, outcome.work.proposals);
  EXPECT_LT(outcome.error, 0.15);
}

TEST(ProposalChainTest, CountsAddUp) {
  for (const char* exactness : {"exact", "fraction:0.5", "width:0.01", "bounded:0.1", "estimate:1e-6"}) {
    const ProposalWork work = run_chain(ring_of_hubs(100, 1), exactness, 100).work;
    EXPECT_EQ(work.by_all + work.by_bounds + work.by_draws, work.proposals) << exactness;
    EXPECT_EQ(work.factors, 200 * work.proposals) << exactness;
    EXPECT_LE(work.looked_at, work.factors) << exactness;
    EXPECT_LE(work.accepted, work.proposals) << exactness;
    EXPECT_NEAR(static_cast<double>(work.proposals), 400 * 0.875, 5 * std::sqrt(400 * 0.875 * 0.125)) << exactness;
    ProposalWork twice = work;
    twice += work;
    EXPECT_EQ(twice.looked_at, 2 * work.looked_at);
  }
}

/// Two variables that must be equal, with many factors that would rather have them differ.
FactorGraph forced_to_agree() {
  FactorGraph::Builder builder;
  const std::vector<VariableId> scope = {builder.add_variable(3), builder.add_variable(3)};
  std::vector<double> differ(9, 0), equal(9, 0);
  for (std::size_t i = 0; i < 9; ++i) {
    if (i % 4 == 0) differ[i] = -0.1;
    else equal[i] = -std::numeric_limits<double>::infinity();
  }
  for (int f = 0; f < 500; ++f) builder.add_factor(scope, differ);
  builder.add_factor(scope, equal);
  return builder.build();
}

TEST(ProposalChainTest, NeverBreaksAHardConstraintHoweverFewFactorsAreDrawn) {
  const FactorGraph graph = forced_to_agree();
  const ProposalFactors factors = *ProposalFactors::build(graph);
  for (const char* exactness : {"exact", "fraction:0.01", "estimate:100", "bounded:0.5"}) {
    ProposalChain chain(factors, mcmc::Exactness::parse(exactness), {1, 1}, Random(1));
    chain.sweep(500, {});
    EXPECT_EQ(chain.values(), (Assignment{1, 1})) << exactness;
    EXPECT_EQ(chain.work().looked_at, chain.work().proposals) << exactness;
  }
}

TEST(ProposalFactorsTest, BoundsCoverEveryChange) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const FactorGraph graph =
        testing::random_graph({.variable_count = 4, .factor_count = 9, .forbidden = 0.05, .is_feasible = true}, seed);
    const ProposalFactors factors = *ProposalFactors::build(graph);
    testing::for_each_assignment(graph, [&](const Assignment& y, double score) {
      if (score == -std::numeric_limits<double>::infinity()) return;
      for (VariableId v = 0; v < y.size(); ++v)
        for (Value to = 0; to < graph.cardinality(v); ++to) {
          const ValueChange change(factors, v, y, to);
          EXPECT_EQ(factors.constrained(v).size() + change.size(), graph.incidences(v).size());
          double rest = 0;
          for (std::size_t j = change.size(); j-- > 0;) {
            EXPECT_LE(std::abs(change.difference(j)), change.bound() + 1e-12);
            EXPECT_LE(rest += std::abs(change.difference(j)), change.rest_bound(j) + 1e-12);
          }
          EXPECT_EQ(change.rest_bound(change.size()), 0);
        }
    });
  }
}

TEST(ProposalChainTest, StopsWhenAsked) {
  CancelToken cancel;
  cancel.cancel();
  const FactorGraph graph = ring_of_hubs(10, 1);
  const ProposalFactors factors = *ProposalFactors::build(graph);
  ProposalChain chain(factors, {}, Assignment(graph.variable_count(), 0), Random(1));
  EXPECT_FALSE(chain.sweep(1, {.cancel = &cancel}));
  EXPECT_FALSE(ProposalFactors::build(graph, {.cancel = &cancel}));
  EXPECT_EQ(chain.work().proposals, 0u);
}

TEST(DrawChainsByProposals, DependOnTheSeedAloneAndReportTheirWork) {
  const FactorGraph graph = ring_of_hubs(100, 2);
  const auto draws_of = [&](int threads, DrawSummary& summary) {
    std::vector<Assignment> all;
    const DrawOptions options = {.chains = 3, .draws = 50, .warm_up = 3, .thin = 2, .exactness = "bounded:0.1"};
    summary = draw_chains(
        graph, {{.variable = 1, .value = 2}}, options, {.threads = threads, .random = Random(7)},
        [&](int, std::span<const Assignment> chains) { all.insert(all.end(), chains.begin(), chains.end()); });
    return all;
  };
  DrawSummary one, four;
  const std::vector<Assignment> draws = draws_of(1, one);
  ASSERT_EQ(draws.size(), 150u);
  for (const Assignment& draw : draws) EXPECT_EQ(draw[1], 2);
  EXPECT_EQ(draws_of(4, four), draws);
  EXPECT_EQ(one.draws, 50);
  EXPECT_EQ(one.proposals.looked_at, four.proposals.looked_at);
  EXPECT_GT(one.proposals.proposals, 500u);
  EXPECT_LT(one.proposals.looked_at, one.proposals.factors);
}

TEST(DrawChainsByProposals, RefusesWhatDoesNotGoTogether) {
  const auto message_of = [](const DrawOptions& options) {
    return testing::message_of<UsageError>([&] { check(options); });
  };
  EXPECT_NE(message_of({.temperatures = 2, .exactness = "exact"}).find("'temperatures'"), std::string::npos);
  EXPECT_NE(message_of({.restart_rate = .1, .exactness = "exact"}).find("'restart-rate'"), std::string::npos);
  EXPECT_NE(message_of({.exactness = "bounded:2"}).find("bounded:2"), std::string::npos);
  EXPECT_NO_THROW(check({.exactness = "fraction:0.5"}));
}

}  // namespace
}  // namespace fovea::graph
