// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/strip_schedule.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/random_grid.h"

namespace fovea::graph {
namespace {

using Verdict = StripTable::Verdict;

// So cold at the end that a step down by what is_local_optimum() forgives has probability e^-10.
constexpr AnnealingPlan kColdEnd = {.hottest = 1, .coldest = 1e-4, .rounds = 300, .descents = 0};

bool is_local_optimum(const GridModel& model, Assignment labels) {
  const double score = model.log_score(labels);
  for (Value& label : labels)
    for (const Value kept = label; std::size_t other : {0u, 1u, 2u}) {
      label = static_cast<Value>(other);
      if (model.log_score(labels) > score + 1e-3) return false;
      label = kept;
    }
  return true;
}

// Strips that are in doubt or have just changed are visited again, so at the end a site is at its best label, unless a
// neighbour changed later: then its strip must be back on the list. Without descents, a neighbour forgotten at a
// strip's end or on the other side of a torus would show.
TEST(StripSchedule, ListsStripsAgainWhenNeighboursChange) {
  const StripTable table =
      StripTable::from([](const StripFeatures& f) { return f.doubt > 0 || f.neighbours > 0 || f.own > 0; });
  for (const GridShape& shape : {GridShape{5, 67, false}, GridShape{4, 70, true}, GridShape{9, 3, false}})
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      const GridModel model = testing::random_grid(shape, 3, seed, 2);
      StripSchedule schedule(model, table, Random(seed));
      schedule.anneal(kColdEnd);
      EXPECT_TRUE(is_local_optimum(model, schedule.labels())) << shape.columns << ' ' << seed;
    }
}

// The wrong fixture: without the neighbours' changes the same test fails.
TEST(StripSchedule, WithoutNeighboursItEndsTooEarly) {
  const StripTable deaf = StripTable::from([](const StripFeatures& f) { return f.doubt > 0 || f.own > 0; });
  int local_optima = 0;
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    const GridModel model = testing::random_grid({5, 67, false}, 3, seed, 2);
    StripSchedule schedule(model, deaf, Random(seed));
    schedule.anneal(kColdEnd);
    local_optima += is_local_optimum(model, schedule.labels());
  }
  EXPECT_LT(local_optima, 6);
}

TEST(StripSchedule, FindsTheBestLabelingOfATinyGrid) {
  const GridModel model = testing::random_grid({3, 3, false}, 3, 4);
  double best = -std::numeric_limits<double>::infinity();
  testing::for_each_labeling(model, [&](const Assignment& y) { best = std::max(best, model.log_score(y)); });
  int found = 0, found_by_all = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    StripSchedule schedule(model, StripTable::hot_bits(3), Random(seed));
    schedule.anneal({.hottest = 2, .coldest = .05, .rounds = 400});
    found += model.log_score(schedule.labels()) > best - 1e-4;
    CheckerboardSampler all(model, Random(seed));
    anneal(all, {.hottest = 2, .coldest = .05, .rounds = 400});
    found_by_all += model.log_score(all.labels()) > best - 1e-4;
  }
  EXPECT_GE(found, 10) << "of 20 short runs";
  EXPECT_GE(found_by_all, 10);
}

TEST(StripSchedule, VisitsFewerSitesAndCountsThem) {
  const GridModel model = testing::random_grid({20, 70, false}, 3, 1, 2);
  const AnnealingPlan plan = {.hottest = 1, .coldest = .05, .rounds = 100};
  StripSchedule every(model, StripTable::from([](const StripFeatures&) { return true; }), Random(1));
  AnnealingPlan without_descents = plan;
  without_descents.descents = 0;
  EXPECT_EQ(every.anneal(without_descents).transitions, 100u * 1400);
  EXPECT_EQ(every.looks(), 100u * model.strip_count());
  EXPECT_EQ(every.visits(), std::vector<std::uint32_t>(model.strip_count(), 100));
  StripSchedule hot(model, StripTable::hot_bits(4), Random(1));
  EXPECT_LT(hot.anneal(plan).transitions, 70u * 1400);
  CheckerboardSampler all(model, Random(1));
  EXPECT_EQ(anneal(all, plan).transitions, 102u * 1400);
}

// The first descent visits all, further ones only what may have changed since; together they find a local optimum.
TEST(StripSchedule, DescendsWhereSomethingChanged) {
  for (const GridShape& shape : {GridShape{5, 67, false}, GridShape{4, 70, true}}) {
    const GridModel model = testing::random_grid(shape, 3, 1, 2);
    StripSchedule schedule(model, StripTable::hot_bits(4), Random(1));
    constexpr AnnealingPlan kHotEnd = {.hottest = 1, .coldest = 1, .rounds = 1, .descents = 20};
    const std::uint64_t transitions = schedule.anneal(kHotEnd).transitions;
    EXPECT_TRUE(is_local_optimum(model, schedule.labels())) << shape.columns;
    EXPECT_GT(transitions, 2 * shape.cells());
    EXPECT_LT(transitions, 8 * shape.cells());
  }
}

TEST(StripSchedule, StopsWhenAskedAndStillDescends) {
  CancelToken cancel;
  cancel.cancel();
  const GridModel model = testing::random_grid({6, 40, false}, 3, 1);
  StripSchedule schedule(model, StripTable::hot_bits(4), Random(1));
  EXPECT_EQ(schedule.anneal({.descents = 1}, {.cancel = &cancel}).transitions, 240u);
  CheckerboardSampler all(model, Random(1));
  EXPECT_EQ(anneal(all, {.descents = 2}, {.cancel = &cancel}).transitions, 2u * 240);
}

TEST(StripFeatures, ClassesAreOctaves) {
  EXPECT_EQ(StripFeatures::doubt_class(0), 0u);
  EXPECT_EQ(StripFeatures::doubt_class(0x1.0p-8f), 1u);
  EXPECT_EQ(StripFeatures::doubt_class(0x1.fp-7f), 2u);
  EXPECT_EQ(StripFeatures::doubt_class(4), 11u);
  EXPECT_EQ(StripFeatures::doubt_class(1000), 11u);
  const std::size_t ages[] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4};
  for (std::uint32_t rounds = 1; rounds <= 10; ++rounds) EXPECT_EQ(StripFeatures::age_class(rounds), ages[rounds - 1]);
}

TEST(StripTable, AStripThatWillBeWorthItStaysListed) {
  const StripTable table =
      StripTable::from([](const StripFeatures& f) { return f.doubt > 2 && f.age > 1 && f.phase == 1; });
  EXPECT_EQ((table[{.doubt = 3, .age = 2, .phase = 1}]), Verdict::kNow);
  EXPECT_EQ((table[{.doubt = 3, .age = 0, .phase = 1}]), Verdict::kLater);
  EXPECT_EQ((table[{.doubt = 3, .age = 4, .phase = 0}]), Verdict::kLater);
  EXPECT_EQ((table[{.doubt = 3, .age = 4, .phase = 2}]), Verdict::kNever);
  EXPECT_EQ((table[{.doubt = 2, .age = 4, .phase = 1}]), Verdict::kNever);
}

}  // namespace
}  // namespace fovea::graph
