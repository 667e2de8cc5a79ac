// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/tagging/metrics/tagging_metrics.h"

namespace fovea::tagging {

/// Score by which two taggings are compared.
enum class TaggingScore { kF1, kAccuracy };

struct BootstrapOptions {
  int replicates = 10000;
  double confidence = 0.95;

  static void describe(auto&& visit) {
    visit(&BootstrapOptions::replicates, number_in(100, 1e7, "replicates", "Number of resampled sets of sentences."));
    visit(&BootstrapOptions::confidence,
          number_in(0.5, 0.9999, "confidence", "Share of the replicates that lie inside an interval."));
  }
};

/// second - first, with its percentile interval over resampled sentences. Scores lie in [0, 1].
struct PairedDifference {
  double first = 0, second = 0, difference = 0;
  double lower = 0, upper = 0;
  double confidence = 0;
  int replicates = 0;  ///< 0: not run

  /// "difference +0.31 [-0.05, 0.68] (95 % interval, ...)", in points of a hundred.
  std::string brief() const;
  std::string json() const;
};

/// The score of these sentences, counted together.
template <class Indices>
double score_of(std::span<const SentenceCounts> sentences, const Indices& indices, TaggingScore score) {
  MatchCounts entities, tokens;
  for (const std::uint32_t s : indices) {
    const SentenceCounts& c = sentences[s];
    entities += {c.gold, c.predicted, c.correct};
    tokens += {c.tokens, c.tokens, c.correct_tokens};
  }
  return score == TaggingScore::kF1 ? entities.f1() : tokens.recall();
}

/// One replicate: the same number of sentences, drawn with replacement, the same ones for both taggings. `drawn` is a
/// workspace. There must be at least one sentence.
template <class R>
double resampled_difference(std::span<const SentenceCounts> first, std::span<const SentenceCounts> second,
                            TaggingScore score, R& random, std::vector<std::uint32_t>& drawn) {
  drawn.resize(first.size());
  for (std::uint32_t& s : drawn) s = random.uniform_index(static_cast<std::uint32_t>(first.size()));
  return score_of(second, drawn, score) - score_of(first, drawn, score);
}

/// Efron's percentile bootstrap for the difference of two taggings of the same sentences (in the same order). It
/// resamples sentences, not tokens, because mistakes within a sentence depend on each other. Depends on `random`'s
/// seed, not on `threads`. Without sentences the interval is [0, 0].
PairedDifference paired_bootstrap(std::span<const SentenceCounts> first, std::span<const SentenceCounts> second,
                                  TaggingScore score, const BootstrapOptions& options, const Random& random,
                                  int threads = 0);

}  // namespace fovea::tagging
