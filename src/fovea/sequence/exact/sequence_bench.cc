// SPDX-License-Identifier: Apache-2.0
// ns per token of the exact chain routines, each next to a plain scalar version that must first give the same answer.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "fovea/sequence/exact/beam.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/sequence/exact/viterbi.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

using testing::RandomSequences;

/// The label n-grams of 200,000 labels drawn from a first-order Markov chain as sparse as that of part-of-speech tags
/// or entity labels: about 250 histories of up to 3 labels for 9 labels, 12,000 for 49.
std::vector<LabelNgram> seen_ngrams(int labels, int factor_size, std::mt19937& engine) {
  std::lognormal_distribution<double> weight(0, labels > 20 ? 3 : 4.5);
  std::normal_distribution<float> score(0, 1);
  std::vector<std::discrete_distribution<int>> next;
  for (int i = 0; i < labels; ++i) {
    std::vector<double> weights(labels);
    for (double& w : weights) w = weight(engine);
    next.emplace_back(weights.begin(), weights.end());
  }
  std::map<std::vector<Value>, float> seen;
  std::vector<Value> history;
  for (int i = 0; i < 200'000; ++i) {
    const bool new_sentence = history.empty() || engine() % 14 == 0;
    if (new_sentence) history.clear();
    history.push_back(static_cast<Value>(new_sentence ? engine() % labels : next[history.back()](engine)));
    if (history.size() > static_cast<std::size_t>(factor_size)) history.erase(history.begin());
    for (std::size_t n = 2; n <= history.size(); ++n)
      seen.try_emplace({history.end() - n, history.end()}, score(engine));
  }
  std::vector<LabelNgram> ngrams;
  for (const auto& [string, value] : seen) {
    ngrams.push_back({.labels = {}, .size = static_cast<std::uint16_t>(string.size()), .score = value});
    std::copy(string.begin(), string.end(), ngrams.back().labels.begin());
  }
  return ngrams;
}

/// Sentences of about 14 tokens with unary scores that spread wider than those of n-grams, as in a trained tagger.
RandomSequences sentences(int labels, int factor_size) {
  std::mt19937 engine(1);
  std::vector<std::uint32_t> lengths(labels > 20 && factor_size > 2 ? 20 : 500);
  for (std::uint32_t& length : lengths) length = 1 + engine() % 27;
  RandomSequences result;
  result.ngrams = std::make_unique<LabelNgrams>(labels, factor_size, seen_ngrams(labels, factor_size, engine));
  result.sequences = std::make_unique<LabelSequences>(*result.ngrams);
  result.sequences->reset(lengths);
  std::normal_distribution<float> score(0, 3);
  for (std::size_t s = 0; s < lengths.size(); ++s)
    for (std::size_t p = result.sequences->begin(s); p < result.sequences->end(s); ++p)
      for (int k = 0; k < labels; ++k) result.sequences->unary(p)[k] = score(engine);
  return result;
}

/// Textbook Viterbi over dense histories of q - 1 labels, one label at a time; pads only at the start.
class ScalarViterbi {
 public:
  explicit ScalarViterbi(const LabelNgrams& ngrams) : ngrams_(ngrams) {}

  float best_score(const LabelSequences& sequences, std::size_t sequence) {
    const std::size_t contexts = ngrams_.context_count(), top = contexts / (ngrams_.label_count() + 1);
    const int q = ngrams_.factor_size(), labels = ngrams_.label_count();
    std::vector<float> alpha(contexts, kMinusInfinity), next(contexts);
    alpha[contexts - 1] = 0;
    for (std::size_t p = sequences.begin(sequence); p < sequences.end(sequence); ++p, alpha.swap(next)) {
      std::fill(next.begin(), next.end(), kMinusInfinity);
      for (std::size_t c = 0; c < contexts; ++c) {
        if (alpha[c] == kMinusInfinity) continue;
        const float* row = ngrams_.row(q - 1, c);
        float* into = next.data() + c % top * (labels + 1);
        for (int k = 0; k < labels; ++k) into[k] = std::max(into[k], alpha[c] + row[k] + sequences.unary(p)[k]);
      }
    }
    return *std::max_element(alpha.begin(), alpha.end());
  }

 private:
  static constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  const LabelNgrams& ngrams_;
};

void report(benchmark::State& state, const LabelSequences& sequences) {
  state.counters["states"] = static_cast<double>(SequenceStates(sequences.ngrams()).count());
  state.counters["per_token"] = benchmark::Counter(static_cast<double>(state.iterations() * sequences.token_count()),
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void scalar_viterbi(benchmark::State& state) {
  const RandomSequences random = sentences(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  ScalarViterbi viterbi(*random.ngrams);
  for (auto _ : state)
    for (std::size_t s = 0; s < random.sequences->sequence_count(); ++s)
      benchmark::DoNotOptimize(viterbi.best_score(*random.sequences, s));
  report(state, *random.sequences);
}

void viterbi(benchmark::State& state) {
  const RandomSequences random = sentences(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  Viterbi viterbi(*random.ngrams);
  Assignment labeling = random.sequences->make_labeling();
  for (std::size_t s = 0; s < random.sequences->sequence_count(); ++s)
    if (std::abs(viterbi.decode(*random.sequences, s, labeling) -
                 ScalarViterbi(*random.ngrams).best_score(*random.sequences, s)) > 1e-3)
      return state.SkipWithError("not the answer of the scalar version");
  for (auto _ : state) benchmark::DoNotOptimize(viterbi.decode_all(*random.sequences, labeling));
  report(state, *random.sequences);
}

void forward_backward(benchmark::State& state) {
  const RandomSequences random = sentences(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  ForwardBackward forward_backward(*random.ngrams);
  const bool with_counts = state.range(2) != 0;
  AlignedVector<float> marginals(100 * random.ngrams->stride());
  std::vector<double> windows(random.ngrams->context_count() * random.ngrams->stride());
  for (auto _ : state)
    for (std::size_t s = 0; s < random.sequences->sequence_count(); ++s)
      benchmark::DoNotOptimize(
          forward_backward.run(*random.sequences, s, marginals.data(), with_counts ? windows.data() : nullptr));
  report(state, *random.sequences);
}

void beam(benchmark::State& state) {
  const RandomSequences random = sentences(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  BeamSearch beam(*random.ngrams, static_cast<int>(state.range(2)));
  Assignment labeling = random.sequences->make_labeling();
  for (auto _ : state) benchmark::DoNotOptimize(beam.decode_all(*random.sequences, labeling));
  report(state, *random.sequences);
}

BENCHMARK(scalar_viterbi)->ArgNames({"labels", "factor_size"})->Args({9, 2})->Args({49, 2})->Args({9, 4});
BENCHMARK(viterbi)->ArgNames({"labels", "factor_size"})->Args({9, 2})->Args({49, 2})->Args({9, 4})->Args({49, 4});
BENCHMARK(forward_backward)
    ->ArgNames({"labels", "factor_size", "counts"})
    ->ArgsProduct({{9, 49}, {2}, {0, 1}})
    ->ArgsProduct({{9, 49}, {4}, {0, 1}});
BENCHMARK(beam)->ArgNames({"labels", "factor_size", "width"})->ArgsProduct({{9, 49}, {4}, {1, 4, 8}});

}  // namespace
}  // namespace fovea::sequence
