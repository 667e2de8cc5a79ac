// Scores five million records in random order, at once and move by move. The sizes of entities follow a power law of
// exponent 1.7; every tenth record is in the cluster of another.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/linkage/evaluate/merge_threshold.h"

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kRecords = 5'000'000;

struct Clustering {
  std::vector<std::uint32_t> clusters, gold;
};

Clustering generate() {
  Random random(1);
  Clustering made;
  for (std::uint32_t entity = 0; made.gold.size() < kRecords; ++entity) {
    const double size = std::min(std::exp(1.4 * random.exponential()), 10'000.0);
    made.gold.resize(std::min<std::size_t>(made.gold.size() + static_cast<std::size_t>(size), kRecords), entity);
  }
  for (std::uint32_t m = kRecords - 1; m > 0; --m) std::swap(made.gold[m], made.gold[random.uniform_index(m + 1)]);
  made.clusters = made.gold;
  for (std::uint32_t& cluster : made.clusters)
    if (random.bernoulli(0.1)) cluster = made.gold[random.uniform_index(kRecords)];
  return made;
}

void score(benchmark::State& state) {
  const Clustering made = generate();
  for (auto _ : state) benchmark::DoNotOptimize(score_clusters(made.clusters, made.gold));
}

void start_running(benchmark::State& state) {
  const Clustering made = generate();
  for (auto _ : state) benchmark::DoNotOptimize(RunningBCubed(made.clusters, made.gold));
}

/// A million moves of any record to the cluster of any other.
void move(benchmark::State& state) {
  Clustering made = generate();
  RunningBCubed running(made.clusters, made.gold);
  Random random(2);
  for (auto _ : state)
    for (int i = 0; i < 1'000'000; ++i) {
      const std::uint32_t record = random.uniform_index(kRecords);
      const std::uint32_t to = made.clusters[random.uniform_index(kRecords)];
      running.move(record, made.clusters[record], to);
      made.clusters[record] = to;
    }
  FOVEA_CHECK(std::abs(running.score().f1() - score_clusters(made.clusters, made.gold).b_cubed.f1()) < 1e-9);
}

BENCHMARK(score)->Unit(benchmark::kMillisecond);
BENCHMARK(start_running)->Unit(benchmark::kMillisecond);
BENCHMARK(move)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fovea::linkage
