// SPDX-License-Identifier: Apache-2.0
// ns per token of the exact chain routines, each beside a plain scalar version that must give the same answer first.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/exact/beam.h"
#include "fovea/exact/forward_backward.h"
#include "fovea/exact/viterbi.h"
#include "tests/support/random_chains.h"

namespace fovea {
namespace {

using testing::RandomChains;

/// Sentences of about 14 tokens, scores as a trained tagger has them: unaries spread wider than label n-grams, of which
/// few are seen.
RandomChains sentences(int labels, int factor_size) {
  std::mt19937 engine(1);
  std::vector<std::uint32_t> lengths(labels > 20 && factor_size > 2 ? 20 : 500);
  for (std::uint32_t& length : lengths) length = 1 + engine() % 27;
  const double density = factor_size == 2 ? 1 : labels > 20 ? .02 : .25;
  return testing::random_chains(
      {.label_count = labels, .factor_size = factor_size, .lengths = lengths, .scale = 2, .ngram_density = density}, 1);
}

/// Textbook Viterbi over dense histories of q - 1 labels, one label at a time; pads only at the start.
class ScalarViterbi {
 public:
  explicit ScalarViterbi(const LabelNgrams& ngrams) : ngrams_(ngrams) {}

  float best_score(const Chains& chains, std::size_t sequence) {
    const std::size_t contexts = ngrams_.context_count(), top = contexts / (ngrams_.label_count() + 1);
    const int q = ngrams_.factor_size(), labels = ngrams_.label_count();
    std::vector<float> alpha(contexts, kMinusInfinity), next(contexts);
    alpha[contexts - 1] = 0;
    for (std::size_t p = chains.begin(sequence); p < chains.end(sequence); ++p, alpha.swap(next)) {
      std::fill(next.begin(), next.end(), kMinusInfinity);
      for (std::size_t c = 0; c < contexts; ++c) {
        if (alpha[c] == kMinusInfinity) continue;
        const float* row = ngrams_.row(q - 1, c);
        float* into = next.data() + c % top * (labels + 1);
        for (int k = 0; k < labels; ++k) into[k] = std::max(into[k], alpha[c] + row[k] + chains.unary(p)[k]);
      }
    }
    return *std::max_element(alpha.begin(), alpha.end());
  }

 private:
  static constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  const LabelNgrams& ngrams_;
};

void report(benchmark::State& state, const Chains& chains) {
  state.counters["per_token"] = benchmark::Counter(static_cast<double>(state.iterations() * chains.token_count()),
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void scalar_viterbi(benchmark::State& state) {
  const RandomChains random = sentences(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  ScalarViterbi viterbi(*random.ngrams);
  for (auto _ : state)
    for (std::size_t s = 0; s < random.chains->sequence_count(); ++s)
      benchmark::DoNotOptimize(viterbi.best_score(*random.chains, s));
  report(state, *random.chains);
}

void viterbi(benchmark::State& state) {
  const RandomChains random = sentences(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  Viterbi viterbi(*random.ngrams);
  Assignment labeling = random.chains->make_labeling();
  for (std::size_t s = 0; s < random.chains->sequence_count(); ++s)
    if (std::abs(viterbi.decode(*random.chains, s, labeling) -
                 ScalarViterbi(*random.ngrams).best_score(*random.chains, s)) > 1e-3)
      return state.SkipWithError("not the answer of the scalar version");
  for (auto _ : state) benchmark::DoNotOptimize(viterbi.decode_all(*random.chains, labeling));
  report(state, *random.chains);
}

void forward_backward(benchmark::State& state) {
  const RandomChains random = sentences(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  ForwardBackward forward_backward(*random.ngrams);
  const bool with_counts = state.range(2) != 0;
  AlignedVector<float> marginals(100 * random.ngrams->stride());
  std::vector<double> windows(random.ngrams->context_count() * random.ngrams->stride());
  for (auto _ : state)
    for (std::size_t s = 0; s < random.chains->sequence_count(); ++s)
      benchmark::DoNotOptimize(
          forward_backward.run(*random.chains, s, marginals.data(), with_counts ? windows.data() : nullptr));
  report(state, *random.chains);
}

void beam(benchmark::State& state) {
  const RandomChains random = sentences(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  BeamSearch beam(*random.ngrams, static_cast<int>(state.range(2)));
  Assignment labeling = random.chains->make_labeling();
  for (auto _ : state) benchmark::DoNotOptimize(beam.decode_all(*random.chains, labeling));
  report(state, *random.chains);
}

BENCHMARK(scalar_viterbi)->ArgNames({"labels", "factor_size"})->Args({9, 2})->Args({49, 2})->Args({9, 4});
BENCHMARK(viterbi)->ArgNames({"labels", "factor_size"})->Args({9, 2})->Args({49, 2})->Args({9, 4})->Args({49, 4});
BENCHMARK(forward_backward)
    ->ArgNames({"labels", "factor_size", "counts"})
    ->ArgsProduct({{9, 49}, {2}, {0, 1}})
    ->ArgsProduct({{9, 49}, {4}, {0, 1}});
BENCHMARK(beam)->ArgNames({"labels", "factor_size", "width"})->ArgsProduct({{9, 49}, {4}, {1, 4, 8}});

}  // namespace
}  // namespace fovea
