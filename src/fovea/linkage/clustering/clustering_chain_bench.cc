// Time from singletons to the plateau, by rule: 2000 records of 20 clusters. An iteration ends when the log score
// reaches 98 % of that of the true clustering; this is checked after every 10,000 steps, off the clock.
#include <benchmark/benchmark.h>

#include "fovea/base/random.h"
#include "fovea/linkage/clustering/clustering_chain.h"
#include "tests/support/attribute_models.h"

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kClusters = 20, kRecords = 2000, kSteps = 10000, kMostRounds = 300;

double true_score(const AttributePairs& model) {
  ClusteringState truth = ClusteringState::singletons(kRecords);
  for (ClusterId& e : truth.clusters) e %= kClusters;
  return ClusteringChain(model, {}, Random(1), truth).log_score();
}

template <class Rule>
void reach_plateau(benchmark::State& state, Rule rule, const ClusteringChainOptions& options) {
  const AttributePairs model = testing::noisy_entities(kRecords, kClusters, Random(1));
  const double plateau = 0.98 * true_score(model);
  std::uint64_t chains = 0;
  ClusteringWork work;
  for (auto _ : state) {
    ClusteringChain chain(model, options, Random(++chains), ClusteringState::singletons(kRecords));
    for (bool is_there = false; !is_there;) {
      chain.run(kSteps, 1, rule, [](RecordId, ClusterId, ClusterId) {});
      state.PauseTiming();
      is_there = chain.log_score() >= plateau;
      if (chain.state().rounds == kMostRounds && !is_there) return state.SkipWithError("no plateau");
      state.ResumeTiming();
    }
    work += chain.work();
  }
  for (const auto& [name, count] :
       {std::pair("proposals", work.proposals), std::pair("factors", work.factors), std::pair("lookups", work.lookups)})
    state.counters[name] = static_cast<double>(count) / static_cast<double>(chains);
}

const ClusteringChainOptions kPairs{.split_merge = 0, .no_sums = true}, kSums{.split_merge = 0}, kMixture{};

BENCHMARK_CAPTURE(reach_plateau, all_factors, mcmc::ExactRule(), kPairs)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reach_plateau, hard_bound, mcmc::HardBoundRule(), kPairs)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reach_plateau, planned_exact_without_sums, mcmc::PlannedRule(mcmc::Exactness{}), kPairs)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reach_plateau, a_tenth, mcmc::EstimateRule(mcmc::UniformFraction(0.1)), kPairs)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reach_plateau, variance_below_one, mcmc::EstimateRule(mcmc::ConfidenceInterval({.threshold = 1})),
                  kPairs)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reach_plateau, sequential_test, mcmc::SequentialRule({.error = 0.01}), kPairs)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reach_plateau, planned_bounded_without_sums,
                  mcmc::PlannedRule(mcmc::Exactness::parse("bounded:0.01")), kPairs)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reach_plateau, planned_exact, mcmc::PlannedRule(mcmc::Exactness{}), kSums)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reach_plateau, planned_exact_split_merge, mcmc::PlannedRule(mcmc::Exactness{}), kMixture)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fovea::linkage
