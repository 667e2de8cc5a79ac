// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/batched_gibbs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "fovea/base/error.h"
#include "fovea/mcmc/enumeration.h"
#include "fovea/mcmc/gibbs.h"

namespace fovea::mcmc {
namespace {

/// A 3 x 3 grid of spins, the middle one with three values: neighbours like to be equal, value 1 is favoured.
struct SmallGrid {
  std::size_t variable_count() const { return 9; }
  std::size_t cardinality(VariableId v) const { return v == 4 ? 3 : 2; }
  std::vector<VariableId> markov_blanket(VariableId v) const {
    std::vector<VariableId> result;
    if (v % 3 > 0) result.push_back(v - 1);
    if (v % 3 < 2) result.push_back(v + 1);
    if (v >= 3) result.push_back(v - 3);
    if (v < 6) result.push_back(v + 3);
    return result;
  }
  void conditional_scores(VariableId v, std::span<const Value> y, std::span<float> scores) const {
    for (Value k = 0; k < scores.size(); ++k) {
      scores[k] = k == 1 ? .2F : 0;
      for (const VariableId other : markov_blanket(v)) scores[k] += y[other] == k ? .6F : 0;
    }
  }
  double log_score(std::span<const Value> y) const {
    double sum = 0;
    for (VariableId v = 0; v < 9; ++v) {
      sum += y[v] == 1 ? .2 : 0;
      for (const VariableId other : markov_blanket(v)) sum += other > v && y[other] == y[v] ? .6 : 0;
    }
    return sum;
  }
};

BatchedModel batched(const SmallGrid& grid, bool has_blankets) {
  BatchedModel model;
  for (VariableId v = 0; v < 9; ++v) {
    model.cardinalities.push_back(grid.cardinality(v));
    if (has_blankets) model.markov_blankets.push_back(grid.markov_blanket(v));
  }
  model.conditional_scores = [grid](auto sites, auto assignments, auto scores) {
    const std::size_t chains = assignments.size() / 9, k = scores.size() / chains / sites.size();
    std::vector<float> row(k);
    for (std::size_t c = 0; c < chains; ++c)
      for (std::size_t i = 0; i < sites.size(); ++i) {
        grid.conditional_scores(sites[i], assignments.subspan(9 * c, 9), row);
        std::copy(row.begin(), row.end(), scores.begin() + (c * sites.size() + i) * k);
      }
  };
  model.log_scores = [grid](auto assignments, auto scores) {
    for (std::size_t c = 0; c < scores.size(); ++c) scores[c] = grid.log_score(assignments.subspan(9 * c, 9));
  };
  return model;
}

// Share of each value over 8 chains x 4000 draws: the standard error is at most .5 / sqrt(32000) times the root of the
// autocorrelation time, which is below 6 here, so .035 is more than 5 of them.
TEST(BatchedGibbsTest, DrawsFromTheModel) {
  const SmallGrid grid;
  const EnumerationResult exact = enumerate(grid);
  for (const bool has_blankets : {false, true}) {
    const BatchedDraws drawn =
        draw_batched(batched(grid, has_blankets), {.draws = 4000, .chains = 8, .warm_up = 100}, {});
    ASSERT_EQ(drawn.draws, 4000U);
    ASSERT_EQ(drawn.values.size(), 8U * 4000 * 9);
    EXPECT_EQ(drawn.batches, has_blankets ? 3U : 9U);
    for (VariableId v = 0; v < 9; ++v) {
      std::vector<double> share(grid.cardinality(v));
      for (std::size_t i = 0; i < 8 * 4000; ++i) share[drawn.values[9 * i + v]] += 1. / (8 * 4000);
      for (std::size_t k = 0; k < share.size(); ++k) EXPECT_NEAR(share[k], exact.marginals[v][k], .035) << v << k;
    }
    EXPECT_EQ(drawn.best.values, exact.best.values);
    EXPECT_EQ(drawn.best.score, grid.log_score(drawn.best.values));
    EXPECT_EQ(drawn.summary.work.transitions, 8U * 9 * 4100);
  }
}

TEST(BatchedGibbsTest, BatchesAreIndependentAndOfOneCardinality) {
  const SmallGrid grid;
  std::set<VariableId> seen;
  for (const std::vector<VariableId>& batch : independent_batches(batched(grid, true)))
    for (const VariableId v : batch) {
      EXPECT_TRUE(seen.insert(v).second);
      EXPECT_EQ(grid.cardinality(v), grid.cardinality(batch[0]));
      for (const VariableId other : grid.markov_blanket(v)) EXPECT_EQ(std::ranges::count(batch, other), 0);
    }
  EXPECT_EQ(seen.size(), 9U);
}

// A chain does not depend on the others, nor on the run before it.
TEST(BatchedGibbsTest, ChainsHaveStreamsOfTheirOwn) {
  const BatchedModel model = batched({}, true);
  const BatchedDraws few = draw_batched(model, {.draws = 20, .chains = 2, .warm_up = 3, .thin = 2}, {});
  const BatchedDraws many = draw_batched(model, {.draws = 20, .chains = 5, .warm_up = 3, .thin = 2}, {});
  EXPECT_TRUE(std::equal(few.values.begin(), few.values.end(), many.values.begin()));
  EXPECT_FALSE(std::equal(few.values.begin(), few.values.begin() + 180, few.values.begin() + 180));
}

TEST(BatchedGibbsTest, KeepsAValueThatCannotChange) {
  BatchedModel model = {.cardinalities = {3, 2}};
  model.conditional_scores = [](auto sites, auto, auto scores) {
    std::ranges::fill(scores, sites[0] == 0 ? -std::numeric_limits<double>::infinity() : 0);
  };
  const std::vector<Value> start = {2, 0, 1, 1};
  const BatchedDraws drawn = draw_batched(model, {.draws = 10, .chains = 2, .warm_up = 0}, {}, start);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(drawn.values[2 * i], 2);
  for (std::size_t i = 10; i < 20; ++i) EXPECT_EQ(drawn.values[2 * i], 1);
  EXPECT_FALSE(drawn.best.found());
}

TEST(BatchedGibbsTest, EndsWithTheDrawsSoFar) {
  CancelToken cancel;
  BatchedModel model = batched({}, true);
  int calls = 0;
  model.conditional_scores = [&](auto, auto, auto) {
    if (++calls == 3 * 5 + 1) cancel.cancel();  // in the sixth sweep
  };
  const BatchedDraws drawn = draw_batched(model, {.draws = 100, .warm_up = 2}, {.stop = {.cancel = &cancel}});
  EXPECT_EQ(drawn.draws, 3U);
  EXPECT_EQ(drawn.values.size(), 4U * 3 * 9);
  EXPECT_EQ(drawn.summary.stopped_by, StopReason::kCancelled);
}

TEST(BatchedGibbsTest, RefusesWhatIsNotAModel) {
  const auto scores = [](double value) {
    BatchedModel model = batched({}, true);
    model.conditional_scores = [value](auto, auto, auto all) { std::ranges::fill(all, value); };
    return model;
  };
  EXPECT_THROW(draw_batched(scores(std::nan("")), {}, {}), InputError);
  EXPECT_THROW(draw_batched(scores(std::numeric_limits<double>::infinity()), {}, {}), InputError);
  BatchedModel one_way = batched({}, true);
  one_way.markov_blankets[0].clear();
  EXPECT_THROW(draw_batched(one_way, {}, {}), UsageError);
  BatchedModel beyond = batched({}, true);
  beyond.markov_blankets[0].push_back(9);
  EXPECT_THROW(draw_batched(beyond, {}, {}), UsageError);
  EXPECT_THROW(draw_batched({}, {}, {}), UsageError);
  EXPECT_THROW(draw_batched(batched({}, true), {.draws = 0}, {}), UsageError);
  const std::vector<Value> start(9, 2);
  EXPECT_THROW(draw_batched(batched({}, true), {.chains = 1}, {}, start), UsageError);
}

TEST(BatchedGibbsTest, SweepsOfABudgetAreThoseOfAllChains) {
  const BatchedModel model = batched(SmallGrid(), true);
  const BatchedDraws drawn = draw_batched(model, {.draws = 100, .chains = 3, .warm_up = 0}, {.budget = {.sweeps = 5}});
  EXPECT_EQ(drawn.draws, 5U);
  EXPECT_EQ(drawn.summary.stopped_by, StopReason::kTransitions);
  EXPECT_THROW(draw_batched(model, {}, {.budget = {.oracle_calls = 5}}), UsageError);
}

}  // namespace
}  // namespace fovea::mcmc
