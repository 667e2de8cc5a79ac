// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/bucket_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <list>
#include <map>

#include "fovea/base/log_math.h"

namespace fovea {
namespace {

constexpr BucketQueue::Id kBucketIds = 40;

/// The definition: one list per bucket, first come first served.
struct SlowBuckets {
  std::map<std::uint32_t, std::list<BucketQueue::Id>> buckets;
  std::map<BucketQueue::Id, std::uint32_t> bucket_of;

  void set(BucketQueue::Id id, std::uint32_t bucket) {
    if (bucket_of.contains(id) && bucket_of[id] == bucket) return;
    erase(id);
    buckets[bucket].push_back(id);
    bucket_of[id] = bucket;
  }
  void erase(BucketQueue::Id id) {
    if (!bucket_of.contains(id)) return;
    auto& list = buckets[bucket_of[id]];
    list.remove(id);
    if (list.empty()) buckets.erase(bucket_of[id]);
    bucket_of.erase(id);
  }
  BucketQueue::Id top() const { return buckets.rbegin()->second.front(); }
};

struct BucketChange {
  BucketQueue::Id id;
  float priority;
  bool remove;
};

void apply(const BucketChange& change, BucketQueue& queue, SlowBuckets& slow) {
  if (!change.remove && !queue.contains(change.id)) queue.push(change.id, change.priority);
  else if (!change.remove) queue.update(change.id, change.priority);
  else if (queue.contains(change.id)) queue.remove(change.id);

  if (change.remove) slow.erase(change.id);
  else slow.set(change.id, queue.bucket_of(change.priority));
}

rc::Gen<std::vector<BucketChange>> bucket_changes() {
  // In, below and above the range, in buckets near and far apart.
  const auto priority = rc::gen::map(rc::gen::inRange(-12, 12), [](int p) {
    return p % 2 == 0 ? 0.25f * static_cast<float>(p) : 1e-3f * static_cast<float>(p);
  });
  return rc::gen::container<std::vector<BucketChange>>(
      rc::gen::construct<BucketChange>(rc::gen::inRange<BucketQueue::Id>(0, kBucketIds), priority,
                                       rc::gen::map(rc::gen::inRange(0, 4), [](int i) { return i == 0; })));
}

RC_GTEST_PROP(BucketQueueTest, BehavesLikeListsAfterAnyChanges, ()) {
  const auto sequence = *bucket_changes();
  BucketQueue queue(kBucketIds, -2, 2);
  SlowBuckets slow;
  for (const BucketChange& change : sequence) {
    apply(change, queue, slow);
    RC_ASSERT(queue.size() == slow.bucket_of.size());
    if (!queue.empty()) RC_ASSERT(queue.top() == slow.top());
  }
  for (; !slow.bucket_of.empty(); slow.erase(slow.top())) RC_ASSERT(queue.pop() == slow.top());
  RC_ASSERT(queue.empty());
}

RC_GTEST_PROP(BucketQueueTest, TopIsWithinTheResolutionOfTheMaximum, ()) {
  const auto thousandths = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000)));
  BucketQueue queue(thousandths.size(), -1, 1);
  const auto priority = [&](BucketQueue::Id id) { return 1e-3f * static_cast<float>(thousandths[id]); };
  for (BucketQueue::Id id = 0; id < thousandths.size(); ++id) queue.push(id, priority(id));
  const float best = 1e-3f * static_cast<float>(*std::max_element(thousandths.begin(), thousandths.end()));
  // Rounding in float moves the bounds of a bucket by up to 2^-24 * 4096 of its width.
  RC_ASSERT(best - priority(queue.top()) <= queue.resolution() * (1 + 1e-3f));
}

TEST(BucketQueueTest, ResolutionIsTheRangeOverTheBuckets) {
  EXPECT_FLOAT_EQ(BucketQueue(1, -3, 1).resolution(), 4.0f / 4096);
}

TEST(BucketQueueTest, OutliersShareTheEndBuckets) {
  const BucketQueue queue(1, -1, 1);
  for (float low : {-kInfinityF, -7.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(queue.bucket_of(low), 0u);
  for (float high : {1.0f, 7.0f, 1e30f, kInfinityF}) EXPECT_EQ(queue.bucket_of(high), BucketQueue::kBuckets - 1);
}

TEST(BucketQueueTest, EqualsTakeTurns) {
  BucketQueue queue(3, 0, 1);
  for (BucketQueue::Id id = 0; id < 3; ++id) queue.push(id, 0.5f);
  for (BucketQueue::Id turn = 0; turn < 9; ++turn) {
    EXPECT_EQ(queue.pop(), turn % 3);
    queue.push(turn % 3, 0.5f);
  }
}

TEST(BucketQueueTest, RefusesAnEmptyRange) {
  EXPECT_THROW(BucketQueue(1, 1, 1), InternalError);
  EXPECT_THROW(BucketQueue(1, 0, std::numeric_limits<float>::infinity()), InternalError);
}

}  // namespace
}  // namespace fovea
