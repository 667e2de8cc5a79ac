// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/queue_schedule.h"

#include <gtest/gtest.h>

#include "fovea/mcmc/run.h"
#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

static_assert(!mcmc::kLeavesTargetInvariant<SequenceGibbs, HeapSchedule>);
static_assert(!mcmc::kLeavesTargetInvariant<SequenceGibbs, BucketSchedule>);

/// An exact queue that counts its updates.
class CountingQueue {
 public:
  explicit CountingQueue(std::size_t n) : heap_(n) {}
  bool empty() const { return heap_.empty(); }
  VariableId top() const { return heap_.top(); }
  void push(VariableId id, float priority) { heap_.push(id, priority); }
  void update(VariableId id, float priority) {
    ++updates;
    heap_.update(id, priority);
  }
  inline static std::size_t updates = 0;

 private:
  IndexedHeap heap_;
};

/// A value function that favours doubt, discord and fresh pairs, and disfavours repetition; sign(w) = `sign`.
ValueFunction some_value(std::size_t labels, float sign) {
  Random random(3);
  ValueFunction value(meta_feature_count(labels));
  value.alpha[kVary] = 1;
  value.alpha[kCondEnt] = 2;
  value.alpha[kSp] = -0.5f;
  for (std::size_t i = kScalarFeatures; i < value.alpha.size(); ++i)
    value.alpha[i] = 0.3f * static_cast<float>(random.normal());
  for (float& a : value.alpha) a *= sign;
  value.w = 2 * sign;
  return value;
}

struct Fixture {
  explicit Fixture(int factor_size, float sign = 1)
      : made(testing::random_sequences({.factor_size = factor_size, .lengths = {9, 0, 1, 12, 4}}, 11)),
        sequences(*made.sequences),
        network(sequences),
        order(left_to_right_order(sequences)),
        value(some_value(3, sign)),
        y(sequences.make_labeling()) {}

  template <class Schedule>
  mcmc::SiteInfo step(Schedule& schedule, VariableId expected_size = 1) {
    const auto batch = schedule.next(random);
    EXPECT_TRUE(batch && batch->size() == expected_size);
    selected = (*batch)[0];
    const mcmc::StepInfo info = SequenceGibbs(sequences).step(y, *batch, random, schedule.detail(*batch));
    schedule.observe(*batch, info);
    return info.sites[0];
  }

  testing::RandomSequences made;
  const LabelSequences& sequences;
  SiteNetwork network;
  std::vector<VariableId> order;
  ValueFunction value;
  Assignment y;
  Random random{5};
  VariableId selected = 0;
};

float q_of(const Fixture& f, const MetaState& state, VariableId p) {
  return f.value.value(state.dot(p, f.y, f.value.alpha));
}

TEST(QueueScheduleTest, OneSweepComesFirst) {
  Fixture f(2);
  HeapSchedule schedule(f.network, f.y, f.value, {}, f.order);
  for (const VariableId expected : f.order) {
    f.step(schedule);
    EXPECT_EQ(f.selected, expected);
  }
}

TEST(QueueScheduleTest, HeapSelectsTheHighestQAtEveryStep) {
  for (int q = 1; q <= 4; ++q)
    for (const float sign : {1.0f, -1.0f}) {
      Fixture f(q, sign);
      HeapSchedule schedule(f.network, f.y, f.value, {}, f.order);
      MetaState state(f.network, f.y, {});  // a second opinion
      for (std::size_t t = 0; t < 10 * f.order.size(); ++t) {
        float highest = -std::numeric_limits<float>::infinity();
        for (const VariableId p : f.order) highest = std::max(highest, q_of(f, state, p));
        const Assignment before = f.y;
        const mcmc::SiteInfo info = f.step(schedule);
        const Assignment after = std::exchange(f.y, before);
        if (t >= f.order.size()) {
          EXPECT_EQ(q_of(f, state, f.selected), highest) << "factor size " << q << " t " << t;
        }
        f.y = after;
        state.record(f.selected, info, f.y);
      }
    }
}

TEST(QueueScheduleTest, BucketsSelectWithinTheirResolution) {
  Fixture f(3);
  BucketSchedule schedule(f.network, f.y, f.value, {}, f.order);
  float resolution = 0;
  for (std::size_t t = 0; t < 8 * f.order.size(); ++t) {
    const auto priority = [&](VariableId p) { return f.value.priority(schedule.state().dot(p, f.y, f.value.alpha)); };
    std::vector<float> priorities;
    for (const VariableId p : f.order) priorities.push_back(priority(p));
    const auto [low, high] = std::minmax_element(priorities.begin(), priorities.end());
    // The range of the buckets: [low - 4 r, high + r) with r = high - low + 1, as laid after the first sweep.
    if (t == f.order.size()) resolution = 6 * (*high - *low + 1) / BucketQueue::kBuckets;
    const auto batch = schedule.next(f.random);
    ASSERT_TRUE(batch);
    if (t >= f.order.size()) {
      EXPECT_GT(priority((*batch)[0]), *high - 1.01f * resolution) << t;
    }
    f.step(schedule);
  }
}

// Select and re-score cost O(log m) and O(L n_j log m) in the paper, n_j being the size of the blanket.
TEST(QueueScheduleTest, AVisitUpdatesTheVariableAndItsBlanketOnly) {
  for (int q = 1; q <= 5; ++q) {
    Fixture f(q);
    QueueSchedule<CountingQueue> schedule(f.network, f.y, f.value, {}, f.order);
    CountingQueue::updates = 0;
    for (std::size_t t = 0; t < f.order.size(); ++t) f.step(schedule);
    EXPECT_EQ(CountingQueue::updates, 0u);
    std::size_t most = 0;
    for (int visit = 0; visit < 200; ++visit) {
      CountingQueue::updates = 0;
      f.step(schedule);
      EXPECT_EQ(CountingQueue::updates, 1 + f.network.neighbours(f.selected).size());
      most = std::max(most, CountingQueue::updates);
    }
    EXPECT_LE(most, 2 * static_cast<std::size_t>(q - 1) + 1);
  }
}

TEST(QueueScheduleTest, SettlesWhenNoQIsAboveTheFloor) {
  Fixture f(2);
  constexpr float kFloor = 1.2f;
  HeapSchedule schedule(f.network, f.y, f.value, {}, f.order, kFloor);
  const RunSummary summary =
      mcmc::run(f.y, schedule, SequenceGibbs(f.sequences), {.budget = {.transitions = 100'000}}, f.random);
  EXPECT_EQ(summary.stopped_by, StopReason::kSettled);  // since every visit lowers Q by its sp
  EXPECT_GT(summary.work.transitions, f.order.size());
  for (const VariableId p : f.order) EXPECT_LE(q_of(f, schedule.state(), p), kFloor);
}

TEST(QueueScheduleTest, NothingToVisitSettlesAtOnce) {
  const LabelNgrams ngrams(3, 2);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{0, 0});
  const Assignment y = sequences.make_labeling();
  const SiteNetwork network(sequences);
  const ValueFunction value(meta_feature_count(3));
  Random random(1);
  EXPECT_FALSE(HeapSchedule(network, y, value, {}, {}).next(random));
  EXPECT_FALSE(BucketSchedule(network, y, value, {}, {}).next(random));
}

}  // namespace
}  // namespace fovea::sequence
