// SPDX-License-Identifier: Apache-2.0
// A million pairs of five comparisons, each of five levels and missing values: counting patterns and learning from
// them.
#include <benchmark/benchmark.h>

#include "fovea/linkage/weights/fellegi_sunter.h"
#include "tests/support/record_pairs.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kPairs = 1000000;

const FellegiSunterModel kModel{.match_share = .05,
                                .m = LevelTable(5, {1, .03, .04, .08, .15, .7}),
                                .u = LevelTable(5, {1, .6, .25, .1, .04, .01})};

void count_patterns(benchmark::State& state) {
  Random random(1);
  std::vector<std::vector<Level>> pairs;
  for (std::size_t i = 0; i < kPairs; ++i)
    pairs.push_back(testing::draw_levels(kModel, random.bernoulli(kModel.match_share), .1, random));
  for (auto _ : state) {
    AgreementPatterns patterns(testing::level_counts(kModel));
    for (const std::vector<Level>& levels : pairs) patterns.add(levels);
    state.counters["patterns"] = static_cast<double>(patterns.size());
  }
}
BENCHMARK(count_patterns)->Unit(benchmark::kMillisecond);

void learn(benchmark::State& state, const PriorKnowledge& known) {
  Random random(1);
  const AgreementPatterns patterns = testing::draw_patterns(kModel, kPairs, .1, random);
  for (auto _ : state)
    state.counters["iterations"] = static_cast<double>(fit_fellegi_sunter(patterns, {}, known).objectives.size() - 1);
}
BENCHMARK_CAPTURE(learn, u_known, PriorKnowledge{.u = kModel.u})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(learn, u_learned, PriorKnowledge{})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fovea::linkage
