// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/indexed_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <map>

#include "fovea/base/log_math.h"

namespace fovea {
namespace {

constexpr IndexedHeap::Id kIds = 40;

/// The same queue by linear search: highest priority, then smallest id.
struct SlowQueue {
  std::map<IndexedHeap::Id, float> content;

  IndexedHeap::Id top() const {
    auto best = content.begin();
    for (auto it = content.begin(); it != content.end(); ++it)
      if (it->second > best->second) best = it;
    return best->first;
  }
};

struct Change {
  IndexedHeap::Id id;
  float priority;
  bool remove;
};

void apply(const Change& change, IndexedHeap& heap, SlowQueue& slow) {
  if (!change.remove && !heap.contains(change.id)) heap.push(change.id, change.priority);
  else if (!change.remove) heap.update(change.id, change.priority);
  else if (heap.contains(change.id)) heap.remove(change.id);

  if (change.remove) slow.content.erase(change.id);
  else slow.content[change.id] = change.priority;
}

rc::Gen<std::vector<Change>> changes() {
  // Few distinct priorities, so that ties are common.
  const auto priority = rc::gen::map(rc::gen::inRange(-5, 5), [](int p) { return 0.25f * static_cast<float>(p); });
  return rc::gen::container<std::vector<Change>>(
      rc::gen::construct<Change>(rc::gen::inRange<IndexedHeap::Id>(0, kIds), priority,
                                 rc::gen::map(rc::gen::inRange(0, 4), [](int i) { return i == 0; })));
}

RC_GTEST_PROP(IndexedHeapTest, BehavesLikeLinearSearchAfterAnyChanges, ()) {
  const auto sequence = *changes();
  IndexedHeap heap(kIds);
  SlowQueue slow;
  for (const Change& change : sequence) {
    apply(change, heap, slow);
    RC_ASSERT(heap.size() == slow.content.size());
    if (!heap.empty()) RC_ASSERT(heap.top() == slow.top());
  }
  for (const auto& [id, priority] : slow.content) RC_ASSERT((heap.contains(id) && heap.priority(id) == priority));
  for (; !slow.content.empty(); slow.content.erase(slow.top())) RC_ASSERT(heap.pop() == slow.top());
  RC_ASSERT(heap.empty());
}

RC_GTEST_PROP(IndexedHeapTest, BuiltAtOncePopsInOrder, (const std::vector<float>& priorities)) {
  IndexedHeap heap{std::span<const float>(priorities)};
  std::vector<bool> seen(priorities.size());
  float last = std::numeric_limits<float>::infinity();
  while (!heap.empty()) {
    const float priority = heap.top_priority();
    const IndexedHeap::Id id = heap.pop();
    RC_ASSERT((!seen[id] && priority == priorities[id] && priority <= last));
    seen[id] = true;
    last = priority;
  }
  RC_ASSERT(std::all_of(seen.begin(), seen.end(), [](bool s) { return s; }));
}

TEST(IndexedHeapTest, OrdersEveryKindOfFloat) {
  const std::vector<float> priorities = {-kInfinityF, -1e30f, -1.0f, -1e-42f, 0.0f, 1e-42f, 1.0f, 1e30f, kInfinityF};
  IndexedHeap heap{std::span<const float>(priorities)};
  for (IndexedHeap::Id id = 9; id-- > 0;) {
    EXPECT_EQ(heap.top_priority(), priorities[id]);
    EXPECT_EQ(heap.pop(), id);
  }
}

TEST(IndexedHeapTest, NegativeZeroEqualsZero) {
  const std::vector<float> priorities = {-0.0f, 0.0f};
  EXPECT_EQ(IndexedHeap{std::span<const float>(priorities)}.top(), 0u);
}

}  // namespace
}  // namespace fovea
