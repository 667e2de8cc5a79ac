// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/round_policy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/log_math.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/sample/orders.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

static_assert(!mcmc::kLeavesTargetInvariant<SequenceGibbs, RoundSchedule>);

constexpr float kThreshold = 0.2f;  // nats

TEST(DoubtBucketTest, TwoBucketsAnOctaveClampedAtBothEnds) {
  EXPECT_EQ(doubt_bucket(0), 0u);
  EXPECT_EQ(doubt_bucket(1e-30f), 0u);
  EXPECT_EQ(doubt_bucket(0x1p-16f), 0u);
  EXPECT_EQ(doubt_bucket(0x1.8p-16f), 1u);
  EXPECT_EQ(doubt_bucket(0x1p-15f), 2u);
  EXPECT_EQ(doubt_bucket(0x1.7ffp-2f), doubt_bucket(0x1p-2f));
  EXPECT_EQ(doubt_bucket(0.5f), kDoubtBuckets - 3);
  EXPECT_EQ(doubt_bucket(1), kDoubtBuckets - 1);
  EXPECT_EQ(doubt_bucket(2), kDoubtBuckets - 1);
  std::size_t last = 0;
  for (float doubt = 1e-6f; doubt <= 1; doubt *= 1.01f) {
    EXPECT_GE(doubt_bucket(doubt), last);
    EXPECT_LE(doubt_bucket(doubt), last + 1);
    last = doubt_bucket(doubt);
  }
}

TEST(RoundPolicyTest, ScoreThresholdInvertsTheGain) {
  RoundPolicy policy(3);
  policy.w = 2;
  policy.b = -0.25f;
  for (const float gain : {-0.2f, 0.01f, 0.5f, 1.0f, 1.7f}) {
    EXPECT_NEAR(policy.gain(policy.score_threshold(gain)), gain, 1e-5);
    EXPECT_GT(policy.gain(policy.score_threshold(gain) + 0.1f), gain);
  }
  EXPECT_EQ(policy.score_threshold(-0.25f), -kInfinityF);  // below all gains
  EXPECT_EQ(policy.score_threshold(1.75f), kInfinityF);    // above all
}

TEST(RoundPolicyTest, WithoutASlopeAllSitesAreWorthAVisitOrNone) {
  RoundPolicy flat(3);
  flat.b = 0.1f;
  EXPECT_EQ(flat.score_threshold(0.05f), -kInfinityF);
  EXPECT_EQ(flat.score_threshold(0.2f), kInfinityF);
}

using Knot = GainCalibration::Knot;

TEST(GainCalibrationTest, GivesTheMeanGainAtEachScore) {
  // Visits at score s jump by 2 nats with probability sigma(s) / 4, else gain nothing: s is drawn from -6 to 6.
  const auto mean_gain = [](float score) { return sigmoid(score) / 2; };
  Random random(1);
  std::vector<Knot> visits;
  for (int i = 0; i < 100'000; ++i) {
    const auto score = static_cast<float>(random.threshold(12.0) - 6);
    visits.push_back({score, random.bernoulli(double{mean_gain(score)} / 2) ? 2.0f : 0.0f});
  }
  RoundPolicy policy(3);
  policy.calibration = calibrate(visits);
  EXPECT_NEAR(policy.calibration.jump, 2, 1e-3);
  for (std::size_t i = 1; i < policy.calibration.knots.size(); ++i) {
    EXPECT_GE(policy.calibration.knots[i].score, policy.calibration.knots[i - 1].score);
    EXPECT_GE(policy.calibration.knots[i].gain, policy.calibration.knots[i - 1].gain);
  }
  for (const float score : {-3.0f, -1.0f, 0.0f, 1.0f, 3.0f})
    EXPECT_NEAR(policy.gain(score) / mean_gain(score), 1, .25) << score;
  for (const float gain : {.05f, .1f, .3f}) EXPECT_NEAR(policy.gain(policy.score_threshold(gain)) / gain, 1, 1e-3);
  EXPECT_EQ(policy.score_threshold(1), kInfinityF) << "no visit gains so much";
  EXPECT_EQ(policy.score_threshold(0), -kInfinityF);
  EXPECT_EQ(policy.gain(100), policy.calibration.knots.back().gain);
  EXPECT_EQ(policy.gain(-100), policy.calibration.knots.front().gain);
}

TEST(GainCalibrationTest, FewVisitsGiveNone) {
  EXPECT_TRUE(calibrate({}).knots.empty());
  EXPECT_TRUE(calibrate(std::vector<Knot>(99)).knots.empty());
  const GainCalibration nothing = calibrate(std::vector<Knot>(100));
  ASSERT_FALSE(nothing.knots.empty());
  EXPECT_GT(nothing.knots.front().gain, 0) << "logarithms are taken of it";
}

/// A policy whose scores differ from site to site; a change nearby adds `changed`.
RoundPolicy some_policy(float changed) {
  RoundPolicy policy(3);
  Random random(7);
  for (std::size_t i = 0; i < kDoubtBuckets; ++i) policy.doubt[i] = -5 + 0.1f * static_cast<float>(i);
  for (float& x : policy.left) x = static_cast<float>(random.normal());
  for (float& x : policy.right) x = static_cast<float>(random.normal());
  policy.changed = changed;
  policy.w = 2;
  return policy;
}

struct RoundFixture {
  explicit RoundFixture(int factor_size, float changed = 2)
      : made(testing::random_sequences(
            {.factor_size = factor_size, .lengths = {9, 0, 30, 4, 25}, .scale = 2, .ngram_density = 1}, 11)),
        sequences(*made.sequences),
        policy(some_policy(changed)),
        y(sequences.make_labeling()),
        doubt(sequences.position_count()) {
    unary_start(sequences, y, doubt.data());
  }

  float score(VariableId p) const { return policy.score(doubt[p], y[p - 1], y[p], y[p + 1]); }
  std::vector<VariableId> wanted() const {
    std::vector<VariableId> sites;
    for (const VariableId p : colour_order(sequences))
      if (policy.gain(score(p)) > kThreshold) sites.push_back(p);
    return sites;
  }

  testing::RandomSequences made;
  const LabelSequences& sequences;
  RoundPolicy policy;
  Assignment y;
  std::vector<float> doubt;
  Random random{13};
};

std::vector<VariableId> to_vector(std::span<const VariableId> sites) { return {sites.begin(), sites.end()}; }

TEST(RoundScheduleTest, FirstRoundListsTheSitesAboveTheThresholdColourByColour) {
  for (int q = 2; q <= 4; ++q) {
    RoundFixture f(q);
    RoundSchedule schedule(f.sequences, f.policy, f.y, f.doubt, {.threshold = kThreshold, .max_rounds = 8});
    const std::vector<VariableId> wanted = f.wanted();
    ASSERT_GT(wanted.size(), 5u);
    ASSERT_LT(wanted.size(), f.sequences.token_count() - 5);
    EXPECT_EQ(to_vector(*schedule.next(f.random)), wanted) << q;
  }
}

/// Expects a round after the first to list the sites around a change and then, when revisiting, those of the round
/// before.
void expect_later_rounds(int factor_size, bool revisit) {
  RoundFixture f(factor_size);
  const auto reach = static_cast<std::int64_t>(factor_size - 1);
  RoundSchedule schedule(f.sequences, f.policy, f.y, f.doubt,
                         {.threshold = kThreshold, .max_rounds = 1000, .revisit = revisit});
  const SequenceGibbs kernel(f.sequences);
  std::size_t neighbours_listed = 0, others_listed = 0;
  auto batch = schedule.next(f.random);
  for (int round = 0; batch && round < 20; ++round) {
    const std::vector<VariableId> visited = to_vector(*batch);
    const Assignment before = f.y;
    schedule.observe(*batch, kernel.step(f.y, *batch, f.random, schedule.detail(*batch)));
    std::vector<VariableId> neighbours, others;
    for (VariableId p = 0; p < f.y.size(); ++p) {
      if (f.y[p] == f.sequences.ngrams().pad()) continue;
      int news = 0;
      for (const VariableId v : visited)
        news += v != p && std::abs(std::int64_t{v} - p) <= reach && before[v] != f.y[v];
      if (f.policy.gain(f.score(p) + f.policy.changed * static_cast<float>(news)) <= kThreshold) continue;
      if (news > 0) neighbours.push_back(p);
      else if (revisit && std::count(visited.begin(), visited.end(), p) > 0) others.push_back(p);
    }
    batch = schedule.next(f.random);
    std::vector<VariableId> listed = batch ? to_vector(*batch) : std::vector<VariableId>();
    ASSERT_EQ(listed.size(), neighbours.size() + others.size()) << "factor size " << factor_size << " round " << round;
    const auto middle = listed.begin() + static_cast<std::ptrdiff_t>(neighbours.size());
    std::sort(listed.begin(), middle);
    std::sort(middle, listed.end());
    EXPECT_TRUE(std::equal(listed.begin(), middle, neighbours.begin()));
    EXPECT_TRUE(std::equal(middle, listed.end(), others.begin()));
    neighbours_listed += neighbours.size();
    others_listed += others.size();
  }
  EXPECT_GT(neighbours_listed, 10u);
  EXPECT_EQ(others_listed > 10, revisit);
}

TEST(RoundScheduleTest, LaterRoundsListNeighboursOfChangesOnly) {
  for (int q = 2; q <= 4; ++q) expect_later_rounds(q, false);
}

TEST(RoundScheduleTest, RevisitsFollowTheNeighboursOfChanges) {
  for (int q = 2; q <= 4; ++q) expect_later_rounds(q, true);
}

TEST(RoundScheduleTest, VisitsKeepTheDoubtUpToDate) {
  RoundFixture f(2);
  RoundSchedule schedule(f.sequences, f.policy, f.y, f.doubt, {.threshold = kThreshold, .max_rounds = 1});
  const std::vector<VariableId> wanted = f.wanted();
  const std::vector<float> start = f.doubt;
  mcmc::run(f.y, schedule, SequenceIcm(f.sequences), {}, f.random);
  for (const VariableId p : colour_order(f.sequences)) {
    const bool visited = std::find(wanted.begin(), wanted.end(), p) != wanted.end();
    EXPECT_EQ(f.doubt[p] != start[p], visited) << p;
  }
}

TEST(RoundScheduleTest, SettlesWhenARoundIsEmpty) {
  RoundFixture f(3);
  RoundSchedule schedule(f.sequences, f.policy, f.y, f.doubt, {.threshold = kThreshold, .max_rounds = 1'000'000});
  const RunSummary summary =
      mcmc::run(f.y, schedule, SequenceIcm(f.sequences), {.budget = {.transitions = 1'000'000}}, f.random);
  EXPECT_EQ(summary.stopped_by, StopReason::kSettled);
  EXPECT_GT(summary.changes, 0u);
}

TEST(RoundScheduleTest, StopsAfterMaxRounds) {
  for (const int rounds : {0, 1, 3}) {
    RoundFixture f(2, 10);  // every change calls for another visit
    RoundSchedule schedule(f.sequences, f.policy, f.y, f.doubt, {.threshold = kThreshold, .max_rounds = rounds});
    int batches = 0;
    const RunSummary summary = mcmc::run(f.y, schedule, SequenceGibbs(f.sequences), {}, f.random,
                                         [&](auto, const mcmc::StepInfo&) { ++batches; });
    EXPECT_EQ(batches, rounds);
    EXPECT_EQ(summary.stopped_by, StopReason::kSettled);
  }
}

TEST(RoundScheduleTest, MaxVisitsKeepsTheSitesOfHighestGain) {
  for (const std::uint64_t most : {1, 2, 7, 1000}) {
    RoundFixture f(2);
    std::vector<VariableId> best = f.wanted();
    std::sort(best.begin(), best.end(),
              [&](VariableId a, VariableId b) { return f.score(a) != f.score(b) ? f.score(a) > f.score(b) : a < b; });
    best.resize(std::min<std::size_t>(best.size(), most));
    std::sort(best.begin(), best.end());
    RoundSchedule schedule(f.sequences, f.policy, f.y, f.doubt,
                           {.threshold = kThreshold, .max_rounds = 8, .max_visits = most});
    std::vector<VariableId> listed = to_vector(*schedule.next(f.random));
    std::sort(listed.begin(), listed.end());
    EXPECT_EQ(listed, best);
  }
}

// The gains that are left out sum up to less than the regret, with room for chance; one more bin of scores would be too
// much.
TEST(RoundScheduleTest, RegretBoundsTheGainThatIsLeftOut) {
  for (const float regret : {.01f, .05f, .2f}) {
    RoundFixture f(2);
    f.policy.calibration = {.knots = {{-12, 1e-4f}, {0, .5f}}, .jump = .1f};
    RoundSchedule schedule(f.sequences, f.policy, f.y, f.doubt, {.regret = regret, .max_rounds = 8});
    std::vector<char> listed(f.y.size());
    if (const auto batch = schedule.next(f.random))
      for (const VariableId p : *batch) listed[p] = 1;
    double left = 0;
    float highest_left = -kInfinityF, lowest_listed = kInfinityF;
    for (const VariableId p : left_to_right_order(f.sequences)) {
      if (listed[p]) {
        lowest_listed = std::min(lowest_listed, f.score(p));
        continue;
      }
      left += double{f.policy.gain(f.score(p))};
      highest_left = std::max(highest_left, f.score(p));
    }
    const double allowed = double{regret} * static_cast<double>(f.sequences.token_count());
    const auto bound = [&](double sum) { return sum + 1.645 * std::sqrt(.1 * sum); };
    EXPECT_LE(highest_left, lowest_listed) << regret;
    EXPECT_LE(bound(left), allowed) << regret;
    EXPECT_GT(bound(left + 2 * double{f.policy.gain(lowest_listed)}), allowed) << regret;
  }
}

TEST(RoundScheduleTest, NothingAboveTheThresholdSettlesAtOnce) {
  RoundFixture f(2);
  RoundSchedule schedule(f.sequences, f.policy, f.y, f.doubt, {.threshold = 1e6f, .max_rounds = 8});
  EXPECT_FALSE(schedule.next(f.random));
}

}  // namespace
}  // namespace fovea::sequence
