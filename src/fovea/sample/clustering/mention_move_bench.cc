// SPDX-License-Identifier: Apache-2.0
// Proposals a second among four entities of about 1000 mentions each, by rule.
#include <benchmark/benchmark.h>

#include "fovea/base/random.h"
#include "fovea/sample/clustering/grouped_clustering.h"
#include "fovea/sample/clustering/mention_move.h"
#include "fovea/sample/subsample/acceptance_rules.h"
#include "fovea/sample/subsample/sequential_rule.h"

namespace fovea {
namespace {

constexpr std::size_t kEntities = 4, kMentions = 4000;

/// Mentions of four entities with a name (40 values) and a place (200 values), each its entity's own in nine cases of
/// ten; agreement speaks for a pair, disagreement against it.
AttributePairs made_up_model(Random random) {
  AttributePairs model(kMentions, -0.5);
  for (const std::uint32_t count : {40u, 200u}) {
    std::vector<std::uint32_t> values(kMentions);
    for (MentionId m = 0; m < kMentions; ++m)
      values[m] = random.bernoulli(0.9) ? m % kEntities + kEntities * random.uniform_index(count / 10)
                                        : random.uniform_index(count);
    std::vector<float> scores(std::size_t{count} * count);
    for (std::uint32_t v = 0; v < count; ++v)
      for (std::uint32_t w = 0; w < count; ++w) scores[v * count + w] = v % kEntities == w % kEntities ? 1.F : -1.F;
    model.add_attribute(std::move(values), count, std::move(scores));
  }
  return model;
}

Partition true_entities() {
  std::vector<EntityId> entities(kMentions);
  for (MentionId m = 0; m < kMentions; ++m) entities[m] = m % kEntities;
  return Partition(entities);
}

template <class Clustering, class Rule>
void propose(benchmark::State& state, Rule rule) {
  const AttributePairs model = made_up_model(Random(1));
  Clustering clustering(model, true_entities());
  Random random(2);
  std::size_t factors = 0, lookups = 0;
  for (auto _ : state) {
    const Decision decision = move_mention(clustering, CompanionProposal(0.05), rule, random);
    factors += decision.factors;
    lookups += decision.lookups;
  }
  const auto proposals = static_cast<double>(state.iterations());
  state.counters["factors"] = static_cast<double>(factors) / proposals;
  state.counters["lookups"] = static_cast<double>(lookups) / proposals;
}

void all_factors(benchmark::State& state) { propose<PairClustering<AttributePairs>>(state, ExactRule()); }
void grouped(benchmark::State& state) { propose<GroupedClustering>(state, GroupedRule()); }
void a_tenth(benchmark::State& state) {
  propose<PairClustering<AttributePairs>>(state, EstimateRule(UniformFraction(0.1)));
}
void variance_below_one(benchmark::State& state) {
  propose<PairClustering<AttributePairs>>(state, EstimateRule(ConfidenceInterval({.threshold = 1})));
}
void sequential_test(benchmark::State& state) {
  propose<PairClustering<AttributePairs>>(state, SequentialRule({.error = 0.01}));
}

BENCHMARK(all_factors);
BENCHMARK(grouped);
BENCHMARK(a_tenth);
BENCHMARK(variance_below_one);
BENCHMARK(sequential_test);

}  // namespace
}  // namespace fovea
