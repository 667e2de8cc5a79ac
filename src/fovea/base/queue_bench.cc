// SPDX-License-Identifier: Apache-2.0
// One decision of a learned schedule: take the best variable, put it back lower, change the priorities of its four
// neighbours.
#include <benchmark/benchmark.h>

#include <vector>

#include "fovea/base/bucket_queue.h"
#include "fovea/base/indexed_heap.h"
#include "fovea/base/random.h"

namespace fovea {
namespace {

IndexedHeap make_queue(std::size_t n, const IndexedHeap*) { return IndexedHeap(n); }
BucketQueue make_queue(std::size_t n, const BucketQueue*) { return BucketQueue(n, -1, 1); }

template <class Queue>
void decide(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  Random random(1);
  std::vector<float> priorities(1 << 16);  // drawn beforehand: the queue alone is timed
  for (float& p : priorities) p = random.threshold(1.0f);
  Queue queue = make_queue(n, static_cast<const Queue*>(nullptr));
  for (std::uint32_t id = 0; id < n; ++id) queue.push(id, priorities[id % priorities.size()]);
  std::size_t draw = 0;
  const auto next_priority = [&] { return priorities[draw++ % priorities.size()]; };
  for (auto _ : state) {
    const std::uint32_t id = queue.pop();
    queue.push(id, next_priority() - 1);
    for (std::uint32_t distance : {1u, 2u, n - 1, n - 2}) queue.update((id + distance) % n, next_priority());
  }
  benchmark::DoNotOptimize(queue.top());
}
BENCHMARK(decide<IndexedHeap>)->Range(1 << 10, 1 << 20);
BENCHMARK(decide<BucketQueue>)->Range(1 << 10, 1 << 20);

}  // namespace
}  // namespace fovea
