// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/strip_rule_learner.h"

#include <gtest/gtest.h>

#include "tests/support/random_grid.h"

namespace fovea::graph {
namespace {

TuningGrid small_grid() {
  std::mt19937 engine(1);
  const GridShape shape{24, 40, false};
  std::vector<float> pair(9);
  for (std::size_t k = 0; k < 3; ++k) pair[4 * k] = 1;
  return {.model = GridModel(shape, 3, testing::normal_scores(shape.cells() * 3, .6f, engine), pair, pair),
          .plan = {.hottest = .9, .coldest = .06, .rounds = 60},
          .source = "small grid"};
}

constexpr StripRuleLearnerOptions kFewTries = {.generations = 3, .candidates = 8, .seeds = 2};

TEST(SavingMeter, HotBitsSaveNothingOverThemselvesAndVisitingAllLosesMuch) {
  const TuningGrid grid = small_grid();
  const SavingMeter meter(grid, 16, Random(1));
  EXPECT_NEAR(meter.saving(StripRule::hot_bits(6)), 0, .3);
  EXPECT_LT(meter.saving(StripRule{.weights = {0, 0, 0, 0, 0, 0, 0, 1}}), -.1) << "visits every strip in every round";
  EXPECT_LT(meter.saving(StripRule{.weights = {0, 0, 0, 0, 0, 0, 0, -1}}), -.5) << "visits none: cheap and bad";
}

TEST(LearnStripRule, DoesNotDependOnThreads) {
  const TuningGrid grid = small_grid();
  const StripRule one = learn_strip_rule({&grid, 1}, kFewTries, {.threads = 1});
  EXPECT_EQ(learn_strip_rule({&grid, 1}, kFewTries, {.threads = 2}).weights, one.weights);
  EXPECT_EQ(one.sources, std::vector<std::string>{"small grid"});
}

TEST(LearnStripRule, IsNoWorseThanHotBitsInAnnealingsThatItHasNotSeen) {
  const TuningGrid grid = small_grid();
  const Random random(1);
  const StripRule learned = learn_strip_rule({&grid, 1}, kFewTries, {.random = random});
  const SavingMeter meter(grid, kFewTries.seeds, random.child(grid.source));
  constexpr auto kHeldOut = SavingMeter::Seeds::kHeldOut;
  for (const std::size_t least_doubt : {5u, 6u, 7u, 8u, 9u})
    EXPECT_GE(meter.saving(learned, kHeldOut), meter.saving(StripRule::hot_bits(least_doubt), kHeldOut));
  EXPECT_NE(meter.saving(learned, kHeldOut), meter.saving(learned)) << "other seeds";
}

TEST(LearnStripRule, StopsWhenAsked) {
  CancelToken cancel;
  cancel.cancel();
  const TuningGrid grid = small_grid();
  const StripRule first = learn_strip_rule({&grid, 1}, kFewTries, {.stop = {.cancel = &cancel}, .random = Random(1)});
  EXPECT_EQ(first.weights,
            learn_strip_rule({&grid, 1}, kFewTries, {.stop = {.cancel = &cancel}, .random = Random(2)}).weights);
}

TEST(LearnStripRule, ReportsEveryGenerationAndKeepsTheLastThatIsComplete) {
  const TuningGrid grid = small_grid();
  std::vector<Progress> reports;
  StripRuleLearnerOptions options = kFewTries;
  learn_strip_rule({&grid, 1}, options, {.progress = [&](const Progress& progress) { reports.push_back(progress); }});
  ASSERT_EQ(reports.size(), 1 + kFewTries.generations) << "the curve of hot bits, then the generations";
  EXPECT_EQ(reports.back().done, reports.back().total);
  EXPECT_GT(reports.back().value, 0);

  CancelToken cancel;
  const auto cancel_after_second = [&](const Progress& progress) {
    if (progress.done == 3) cancel.cancel();
  };
  options.generations = 10;
  const auto interrupted =
      learn_strip_rule({&grid, 1}, options, {.stop = {.cancel = &cancel}, .progress = cancel_after_second});
  CancelToken at_once;
  at_once.cancel();
  const auto first = learn_strip_rule({&grid, 1}, options, {.stop = {.cancel = &at_once}, .random = Random(1)});
  EXPECT_NE(interrupted.weights, first.weights) << "two generations were learned from";
  EXPECT_EQ(interrupted.sources, first.sources);
}

}  // namespace
}  // namespace fovea::graph
