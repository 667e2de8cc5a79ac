// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/graph/grid/checkerboard_kernel_test.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/graph/grid/checkerboard_kernel-inl.h"
#include "fovea/graph/grid/plain_potts_kernel-inl.h"
#include "tests/support/enumerating_random.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::HWY_NAMESPACE {

/// Visits one strip with random choices replayed.
void enumerated_strip(const GridModel& model, const CheckerboardWeights& weights, GridLabeling& labeling,
                      std::size_t colour, std::size_t row, testing::EnumeratingRandom& random) {
  SiteScores scores;
  const Strip strip = StripRow(model, labeling, colour, row).strip(0);
  for (std::size_t at = 0; at < kStripSites; at += hn::Lanes(Tag())) {
    if (weights.plain_potts) {
      const PlainPotts potts(*weights.plain_potts);
      visit_plain_potts(potts, strip, at, random);
      continue;
    }
    with_row_place(weights, [&]<bool kInRegister>() {
      visit_lanes<GridVisit::kSample, kInRegister>(PairScores(weights), strip, at, random, scores);
    });
  }
  labeling.wrap(model, colour, row);
}

/// Visits a row of a torus in one go, or strip by strip as next to a border.
void visit_torus_row(const GridModel& model, const CheckerboardWeights& weights, GridLabeling& labeling,
                     std::size_t row, bool is_wide, mcmc::LaneStream& stream) {
  const PlainPotts potts(*weights.plain_potts);
  const StripRow strips(model, labeling, 0, row);
  for (std::size_t at = 0; at < kStripSites && !is_wide; at += hn::Lanes(Tag())) {
    LaneDraws random(stream, at);
    for (std::size_t along = 0; along < model.strips_per_row(); ++along)
      visit_plain_potts(potts, strips.strip(along), at, random);
  }
  if (is_wide) visit_potts_torus_row(potts, strips, model.strips_per_row(), stream);
}

}  // namespace fovea::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/support/instruction_sets.h"
#include "tests/support/random_grid.h"
#include "tests/support/statistics.h"

namespace fovea::graph {
namespace {

HWY_EXPORT(enumerated_strip);
HWY_EXPORT(visit_torus_row);

using Law = std::map<Assignment, double>;

Law target_law(const GridModel& model, double temperature) {
  Law law;
  double total = 0;
  testing::for_each_labeling(
      model, [&](const Assignment& labels) { total += law[labels] = std::exp(model.log_score(labels) / temperature); });
  for (auto& [labels, p] : law) p /= total;
  return law;
}

/// max_y |(p A)(y) - p(y)| for the kernel A that visits a row's sites of a colour; p belongs to temperature
/// `target_temperature`.
double invariance_gap(const GridModel& model, std::size_t colour, std::size_t row, double temperature,
                      double target_temperature) {
  const CheckerboardWeights weights(model, temperature);
  const Law target = target_law(model, target_temperature);
  Law moved;
  GridLabeling labeling(model);
  for (const auto& entry : target) {
    testing::EnumeratingRandom random;
    random.enumerate(
        [&](testing::EnumeratingRandom& r) {
          labeling.assign(model, entry.first);
          HWY_DYNAMIC_DISPATCH(enumerated_strip)(model, weights, labeling, colour, row, r);
        },
        [&](double q) { moved[labeling.labels(model)] += entry.second * q; });
  }
  double gap = 0;
  for (const auto& [labels, p] : target) gap = std::max(gap, std::abs(moved[labels] - p));
  return gap;
}

// Weights are floats, so the exact matrix carries their rounding.
constexpr double kFloatGap = 2e-6;

/// Checks every colour of every row under every instruction set.
void expect_invariant(const GridModel& model, double temperature) {
  testing::for_each_instruction_set([&] {
    for (std::size_t row = 0; row < model.shape().rows; ++row)
      for (const std::size_t colour : {0u, 1u})
        EXPECT_LT(invariance_gap(model, colour, row, temperature, temperature), kFloatGap) << row << ' ' << colour;
  });
}

TEST(CheckerboardKernel, LeavesTheTargetInvariant) {
  expect_invariant(testing::random_grid({.rows = 2, .columns = 3}, 3, 1), 1);
  expect_invariant(testing::random_grid({.rows = 3, .columns = 2}, 2, 2), .6);
  expect_invariant(testing::random_grid({.rows = 2, .columns = 4, .is_torus = true}, 2, 3), 1.5);
  expect_invariant(testing::random_grid({.rows = 1, .columns = 2}, 17, 4), 1);  // more labels than lanes
}

TEST(CheckerboardKernel, PlainPottsLeavesTheTargetInvariant) {
  expect_invariant(testing::potts_grid({.rows = 2, .columns = 4, .is_torus = true}, 2, .7f), 1);
  expect_invariant(testing::potts_grid({.rows = 2, .columns = 3}, 3, .5f), .8);
}

TEST(CheckerboardKernel, WideVisitsEqualThoseOfSingleStrips) {
  const GridModel model = testing::potts_grid({.rows = 6, .columns = 300, .is_torus = true}, 3, .4f);
  const CheckerboardWeights weights(model, 1);
  Random random(4);
  Assignment labels(model.shape().cells());
  for (Value& label : labels) label = static_cast<Value>(random.uniform_index(3));
  testing::for_each_instruction_set([&] {
    GridLabeling wide(model), narrow(model);
    for (GridLabeling* labeling : {&wide, &narrow}) {
      labeling->assign(model, labels);
      mcmc::LaneStream stream(Random(5));
      for (std::size_t row = 0; row < model.shape().rows; ++row)
        HWY_DYNAMIC_DISPATCH(visit_torus_row)(model, weights, *labeling, row, labeling == &wide, stream);
    }
    EXPECT_EQ(wide.labels(model), narrow.labels(model));
    EXPECT_NE(wide.labels(model), labels);
  });
}

TEST(CheckerboardKernel, AnotherTemperatureDoesNot) {
  const GridModel model = testing::random_grid({.rows = 2, .columns = 3}, 2, 1);
  EXPECT_GT(invariance_gap(model, 0, 0, 1, .8), 1e-3);
  const GridModel potts = testing::potts_grid({.rows = 2, .columns = 3}, 2, .7f);
  EXPECT_GT(invariance_gap(potts, 0, 0, 1, .8), 1e-3);
}

/// Draws far apart follow the law of a small torus.
void expect_draws_follow_law(const GridModel& model) {
  const Law law = target_law(model, 1);
  CheckerboardSampler sampler(model, Random(7));
  std::map<Assignment, std::size_t> number;
  std::vector<double> probabilities;
  for (const auto& [labels, p] : law) {
    number[labels] = probabilities.size();
    probabilities.push_back(p);
  }
  sampler.sweep(100);
  EXPECT_TRUE(testing::draws_follow(probabilities, 20000, [&] {
    sampler.sweep(12);
    return number[sampler.labels()];
  }));
}

TEST(CheckerboardSampler, DrawsFollowTheLaw) {
  expect_draws_follow_law(testing::random_grid({.rows = 2, .columns = 2, .is_torus = true}, 3, 1, .4f));
  expect_draws_follow_law(testing::potts_grid({.rows = 2, .columns = 2, .is_torus = true}, 3, .2f));
}

TEST(CheckerboardSampler, DoesNotDependOnThreadsOrInstructionSet) {
  const GridModel model = testing::random_grid({.rows = 50, .columns = 70}, 4, 1);
  std::vector<Assignment> results;
  for (const int threads : {1, 2, 3}) {
    CheckerboardSampler sampler(model, Random(3));
    sampler.sweep(5, threads);
    results.push_back(sampler.labels());
    EXPECT_EQ(results.back(), results.front());
  }
  const GridModel torus = testing::potts_grid({.rows = 34, .columns = 36, .is_torus = true}, 5, .8f);
  Assignment first;
  testing::for_each_instruction_set([&] {
    CheckerboardSampler sampler(torus, Random(3));
    sampler.sweep(5);
    if (first.empty()) first = sampler.labels();
    EXPECT_EQ(sampler.labels(), first);
  });
}

TEST(CheckerboardSampler, DescentNeverLowersTheScoreAndEndsAtALocalOptimum) {
  const GridModel model = testing::random_grid({.rows = 6, .columns = 37}, 3, 9);
  CheckerboardSampler sampler(model, Random(1));
  double before = model.log_score(sampler.labels());
  for (int sweep = 0; sweep < 40; ++sweep) {
    sampler.descend();
    const double after = model.log_score(sampler.labels());
    EXPECT_GE(after, before - 1e-3);
    before = after;
  }
  Assignment labels = sampler.labels();
  for (Value& label : labels)
    for (const Value kept = label; const Value other : {Value{0}, Value{1}, Value{2}}) {
      label = other;
      EXPECT_LE(model.log_score(labels), before + 1e-3);
      label = kept;
    }
}

TEST(CheckerboardSampler, AvoidsForbiddenLabels) {
  const float forbidden = -std::numeric_limits<float>::infinity();
  const std::vector<float> differ = {forbidden, 0, 0, 0, forbidden, 0, 0, 0, forbidden};
  const GridModel model({.rows = 5, .columns = 40}, 3, {}, differ, differ);
  CheckerboardSampler sampler(model, Random(1));  // starts where every pair is forbidden
  sampler.sweep(50);
  EXPECT_EQ(model.log_score(sampler.labels()), 0);
}

TEST(GridTally, CountsLabels) {
  const GridModel model = testing::random_grid({.rows = 3, .columns = 35}, 3, 5);
  CheckerboardSampler sampler(model, Random(2));
  GridTally tally(model);
  std::vector<double> expected(model.shape().cells() * 3);
  for (int draw = 0; draw < 8; ++draw) {
    sampler.sweep();
    tally.add(sampler.labeling());
    const Assignment labels = sampler.labels();
    for (std::size_t cell = 0; cell < labels.size(); ++cell) expected[cell * 3 + labels[cell]] += 1.0 / 8;
  }
  EXPECT_EQ(tally.marginals(), expected);
}

}  // namespace
}  // namespace fovea::graph
#endif
