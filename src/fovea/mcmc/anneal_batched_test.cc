// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/anneal_batched.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::mcmc {
namespace {

/// A ring of spins that like to be equal, each with a field of its own; counts what it is asked.
struct Ring {
  explicit Ring(std::size_t size, double coupling, std::uint64_t seed) : field(size), coupling_(coupling) {
    Random random(seed);
    for (double& f : field) f = random.normal();
  }

  BatchedModel model() {
    BatchedModel model;
    const auto n = static_cast<VariableId>(field.size());
    model.cardinalities.assign(n, 2);
    for (VariableId v = 0; v < n; ++v) model.markov_blankets.push_back({(v + n - 1) % n, (v + 1) % n});
    model.conditional_scores = [this](auto sites, auto assignment, auto scores) {
      ++calls;
      largest = std::max(largest, sites.size());
      const std::set<VariableId> asked(sites.begin(), sites.end());
      for (std::size_t i = 0; i < sites.size(); ++i) {
        const auto size = static_cast<VariableId>(field.size());
        for (const VariableId other : {(sites[i] + 1) % size, (sites[i] + size - 1) % size})
          EXPECT_FALSE(asked.contains(other)) << "neighbours in one call";
        for (Value k : {0, 1}) scores[2 * i + k] = score(sites[i], k, assignment);
      }
    };
    return model;
  }

  double score(VariableId v, Value k, std::span<const Value> y) const {
    const std::size_t n = field.size();
    return (k == 1 ? field[v] : 0) + coupling_ * (y[(v + 1) % n] == k) + coupling_ * (y[(v + n - 1) % n] == k);
  }
  double log_score(std::span<const Value> y) const {
    double sum = 0;
    for (std::size_t v = 0; v < field.size(); ++v)
      sum += (y[v] == 1 ? field[v] : 0) + coupling_ * (y[v] == y[(v + 1) % field.size()]);
    return sum;
  }
  /// The largest gain of a change of one value.
  double largest_gain(std::span<const Value> y) const {
    double most = 0;
    for (VariableId v = 0; v < field.size(); ++v)
      most = std::max(most, score(v, static_cast<Value>(1 - y[v]), y) - score(v, y[v], y));
    return most;
  }

  std::vector<double> field;
  double coupling_;
  std::size_t calls = 0, largest = 0;
};

TEST(AnnealBatchedTest, EndsWhereNoSingleValueGainsMore) {
  for (const AskOrder order : {AskOrder::kLearned, AskOrder::kCyclic})
    for (const double temperature : {0.0, 1.0}) {
      Ring ring(100, 1, 3);
      const BatchedAnneal found = anneal_batched(
          ring.model(), {.batch = 16, .temperature = temperature, .regret = 0, .order = order}, {.random = Random(2)});
      EXPECT_EQ(found.summary.stopped_by, StopReason::kSettled);
      EXPECT_LE(ring.largest_gain(found.values), 1e-12);
      EXPECT_EQ(found.expected_gain, 0);
      EXPECT_EQ(found.unsettled, 0U);
      EXPECT_EQ(found.summary.work.oracle_calls, ring.calls);
      EXPECT_LE(ring.largest, 16U);
      EXPECT_GE(found.summary.work.transitions, 100U);
      const std::size_t v = 7;
      const double gap = ring.score(v, found.values[v], found.values) -
                         ring.score(v, static_cast<Value>(1 - found.values[v]), found.values);
      EXPECT_NEAR(found.doubt[v], 1 / (1 + std::exp(gap)), 1e-9);
    }
}

TEST(AnnealBatchedTest, AsksForLessThanSweepsDo) {
  Ring learned(2000, 1.5, 5), cyclic(2000, 1.5, 5);
  const BatchedAnneal few = anneal_batched(learned.model(), {.regret = 0}, {});
  const BatchedAnneal sweeps = anneal_batched(cyclic.model(), {.order = AskOrder::kCyclic}, {});
  EXPECT_LT(2 * few.summary.work.transitions, sweeps.summary.work.transitions);
  EXPECT_NEAR(learned.log_score(few.values), cyclic.log_score(sweeps.values), .02 * 2000);
}

TEST(AnnealBatchedTest, RegretEndsEarlierAndSaysWhatIsLeft) {
  Ring all(2000, 1.5, 5), most(2000, 1.5, 5);
  const BatchedAnneal whole = anneal_batched(all.model(), {.regret = 0}, {});
  const BatchedAnneal part = anneal_batched(most.model(), {.regret = .05}, {});
  EXPECT_LT(part.summary.work.transitions, whole.summary.work.transitions);
  EXPECT_GT(part.expected_gain, 0);
  EXPECT_LT(part.expected_gain, .05);
}

// Each of two variables wants what the other one does not: no assignment satisfies both.
TEST(AnnealBatchedTest, ConditionalsThatLeadRoundInACircleEnd) {
  BatchedModel model{.cardinalities = {2, 2}, .markov_blankets = {{1}, {0}}};
  model.conditional_scores = [](auto sites, auto y, auto scores) {
    const bool wants_equal = sites[0] == 0;
    for (Value k : {0, 1}) scores[k] = (k == y[1 - sites[0]]) == wants_equal ? 1 : 0;
  };
  for (const AskOrder order : {AskOrder::kLearned, AskOrder::kCyclic}) {
    const BatchedAnneal found = anneal_batched(model, {.regret = 0, .visits = 5, .order = order}, {});
    EXPECT_LE(found.summary.work.transitions, 10U);
    EXPECT_GE(found.unsettled, 1U);
    EXPECT_GT(found.expected_gain, 0);
  }
}

TEST(AnnealBatchedTest, BudgetsAreKept) {
  Ring ring(200, 1, 1);
  const BatchedAnneal found = anneal_batched(ring.model(), {.batch = 10, .regret = 0}, {.budget = {.transitions = 45}});
  EXPECT_EQ(found.summary.work.transitions, 50U) << "the call in which they run out is made";
  EXPECT_EQ(found.summary.stopped_by, StopReason::kTransitions);
  const BatchedAnneal sweeps =
      anneal_batched(ring.model(), {.regret = 0, .order = AskOrder::kCyclic}, {.budget = {.sweeps = 2}});
  EXPECT_EQ(sweeps.summary.work.transitions, 400U);
  EXPECT_THROW(anneal_batched(ring.model(), {}, {.budget = {.oracle_calls = 3}}), UsageError);
}

// Whatever was seen before, a site without a possible value must not make the expected gains of others NaN.
TEST(AnnealBatchedTest, ASiteWithoutAPossibleValueTeachesNothing) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  BatchedModel model{.cardinalities = {2, 2, 2}, .markov_blankets = {{1}, {0, 2}, {1}}};
  model.conditional_scores = [&](auto sites, auto y, auto scores) {
    for (std::size_t i = 0; i < sites.size(); ++i)
      for (Value k : {0, 1})
        scores[2 * i + k] = sites[i] == 1 ? kNever : static_cast<double>(k == (sites[i] == 0 ? y[1] : 1 - y[1]));
  };
  const BatchedAnneal found = anneal_batched(model, {.temperature = 1, .regret = 0}, {});
  EXPECT_TRUE(std::isfinite(found.expected_gain));
  EXPECT_EQ(found.values[0], found.values[1]);
}

TEST(AnnealBatchedTest, AStartIsTaken) {
  Ring ring(50, 1, 1);
  const std::vector<Value> start(50, 1);
  const BatchedAnneal none = anneal_batched(ring.model(), {}, {.budget = {.transitions = 0}}, start);
  EXPECT_EQ(none.values, start);
  EXPECT_EQ(none.doubt, std::vector<double>(50, 1));
}

TEST(AnnealBatchedTest, ValuesThatCannotBeAreNotTaken) {
  BatchedModel model{.cardinalities = {3}, .markov_blankets = {{}}};
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  model.conditional_scores = [&](auto, auto, auto scores) { scores[0] = kNever, scores[1] = 0, scores[2] = kNever; };
  EXPECT_EQ(anneal_batched(model, {}, {}, std::vector<Value>{0}).values[0], 1);
  model.conditional_scores = [&](auto, auto, auto scores) { std::ranges::fill(scores, kNever); };
  EXPECT_EQ(anneal_batched(model, {}, {}, std::vector<Value>{2}).values[0], 2) << "none is possible";
}

TEST(AnnealBatchedTest, WrongModelsStartsAndScoresAreRefused) {
  Ring ring(5, 1, 1);
  BatchedModel model = ring.model();
  EXPECT_THROW(anneal_batched(model, {}, {}, std::vector<Value>(4)), UsageError);
  EXPECT_THROW(anneal_batched(model, {}, {}, std::vector<Value>(5, 2)), UsageError);
  EXPECT_THROW(anneal_batched(model, {.batch = 0}, {}), UsageError);
  model.conditional_scores = [](auto, auto, auto scores) { scores[0] = std::nan(""); };
  EXPECT_THROW(anneal_batched(model, {}, {}), InputError);
  model.markov_blankets.clear();
  EXPECT_THROW(anneal_batched(model, {}, {}), UsageError);
}

}  // namespace
}  // namespace fovea::mcmc
