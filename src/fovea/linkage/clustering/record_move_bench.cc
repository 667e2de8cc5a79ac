// Proposals per second among four clusters of about 1000 records each, by rule.
#include <benchmark/benchmark.h>

#include "fovea/base/random.h"
#include "fovea/linkage/clustering/grouped_clustering.h"
#include "fovea/linkage/clustering/record_move.h"
#include "fovea/mcmc/subsample/acceptance_rules.h"
#include "fovea/mcmc/subsample/hard_bound_rule.h"
#include "fovea/mcmc/subsample/planned_rule.h"
#include "fovea/mcmc/subsample/sequential_rule.h"
#include "tests/support/attribute_models.h"

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kClusters = 4, kRecords = 4000;

Partition true_clusters() {
  std::vector<ClusterId> clusters(kRecords);
  for (RecordId m = 0; m < kRecords; ++m) clusters[m] = m % kClusters;
  return Partition(clusters);
}

template <class Clustering, class Rule>
void propose(benchmark::State& state, Rule rule) {
  const AttributePairs model = testing::noisy_entities(kRecords, kClusters, Random(1));
  Clustering clustering(model, true_clusters());
  Random random(2);
  std::size_t factors = 0, lookups = 0;
  for (auto _ : state) {
    const mcmc::Decision decision = move_record(clustering, CompanionProposal(0.05), rule, random);
    factors += decision.factors;
    lookups += decision.lookups;
  }
  const auto proposals = static_cast<double>(state.iterations());
  state.counters["factors"] = static_cast<double>(factors) / proposals;
  state.counters["lookups"] = static_cast<double>(lookups) / proposals;
}

void all_factors(benchmark::State& state) { propose<PairClustering<AttributePairs>>(state, mcmc::ExactRule()); }
void grouped(benchmark::State& state) { propose<GroupedClustering>(state, mcmc::GroupedRule()); }
void a_tenth(benchmark::State& state) {
  propose<PairClustering<AttributePairs>>(state, mcmc::EstimateRule(mcmc::UniformFraction(0.1)));
}
void variance_below_one(benchmark::State& state) {
  propose<PairClustering<AttributePairs>>(state, mcmc::EstimateRule(mcmc::ConfidenceInterval({.threshold = 1})));
}
void sequential_test(benchmark::State& state) {
  propose<PairClustering<AttributePairs>>(state, mcmc::SequentialRule({.error = 0.01}));
}
void hard_bound(benchmark::State& state) { propose<PairClustering<AttributePairs>>(state, mcmc::HardBoundRule()); }
void planned(benchmark::State& state) { propose<GroupedClustering>(state, mcmc::PlannedRule(mcmc::Exactness{})); }

BENCHMARK(all_factors);
BENCHMARK(hard_bound);
BENCHMARK(planned);
BENCHMARK(grouped);
BENCHMARK(a_tenth);
BENCHMARK(variance_below_one);
BENCHMARK(sequential_test);

}  // namespace
}  // namespace fovea::linkage
