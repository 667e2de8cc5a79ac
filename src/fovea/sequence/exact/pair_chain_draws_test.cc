// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/pair_chain_draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "fovea/sequence/model/label_sequences.h"
#include "tests/support/enumerating_random.h"

namespace fovea::sequence {
namespace {

constexpr int kDrawnLabels = 3;
constexpr std::uint32_t kDrawnLength = 4;

using DrawLaw = std::map<Assignment, double>;

/// The law of draws, by replaying every decision, and its largest gap to exp(log_probability).
double gap_to_law(const LabelSequences& sequences, const LabelNgrams& pairs) {
  PairChainDraws draws(pairs);
  draws.sum(sequences.unary(sequences.begin(0)), kDrawnLength);
  DrawLaw drawn;
  Assignment path(kDrawnLength);
  testing::EnumeratingRandom().enumerate([&](testing::EnumeratingRandom& random) { draws.draw(path.data(), random); },
                                         [&](double probability) { drawn[path] += probability; });
  DrawLaw exact;
  double total = 0;
  Assignment labeling = sequences.make_labeling();
  for (int code = 0; code < 81; ++code) {
    Assignment labels(kDrawnLength);
    for (std::uint32_t t = 0, rest = static_cast<std::uint32_t>(code); t < kDrawnLength; ++t, rest /= kDrawnLabels)
      labeling[sequences.begin(0) + t] = labels[t] = static_cast<Value>(rest % kDrawnLabels);
    total += exact[labels] = std::exp(sequences.log_score(0, labeling));
  }
  double gap = 0;
  for (const auto& [labels, weight] : exact) {
    const double p = weight / total;
    gap = std::max({gap, std::abs(drawn[labels] - p), std::abs(std::exp(draws.log_probability(labels.data())) - p)});
  }
  return gap;
}

LabelSequences chains_to_draw(const LabelNgrams& pairs, Random& random, double spread) {
  LabelSequences sequences(pairs);
  const std::uint32_t lengths[] = {kDrawnLength};
  sequences.reset(lengths);
  for (std::size_t p = sequences.begin(0); p < sequences.end(0); ++p)
    for (int k = 0; k < kDrawnLabels; ++k) sequences.unary(p)[k] = static_cast<float>(spread * random.normal());
  return sequences;
}

std::vector<LabelNgram> random_pairs(Random& random) {
  std::vector<LabelNgram> pairs;
  for (Value i = 0; i < kDrawnLabels; ++i)
    for (Value j = 0; j < kDrawnLabels; ++j)
      pairs.push_back({.labels = {i, j}, .size = 2, .score = static_cast<float>(random.normal())});
  return pairs;
}

TEST(PairChainDrawsTest, TheirLawIsTheModels) {
  Random random(1);
  const LabelNgrams pairs(kDrawnLabels, 2, random_pairs(random));
  EXPECT_LT(gap_to_law(chains_to_draw(pairs, random, 1), pairs), 1e-6);
  const LabelNgrams none(kDrawnLabels, 1);
  EXPECT_LT(gap_to_law(chains_to_draw(none, random, 1), none), 1e-6);
}

TEST(PairChainDrawsTest, HardConstraintsAreKept) {
  Random random(2);
  std::vector<LabelNgram> scores = random_pairs(random);
  scores[1].score = scores[3].score = kImpossibleF;
  const LabelNgrams pairs(kDrawnLabels, 2, scores);
  LabelSequences sequences = chains_to_draw(pairs, random, 1);
  sequences.unary(sequences.begin(0) + 1)[2] = kImpossibleF;
  EXPECT_LT(gap_to_law(sequences, pairs), 1e-6);
}

TEST(PairChainDrawsTest, ScoresMayLeaveTheRangeOfLinearNumbers) {
  Random random(3);
  std::vector<LabelNgram> scores = random_pairs(random);
  for (LabelNgram& score : scores) score.score -= score.labels[0] == score.labels[1] ? 1e4f : 0.0f;
  scores[4].score = kImpossibleF;
  const LabelNgrams pairs(kDrawnLabels, 2, scores);
  LabelSequences sequences = chains_to_draw(pairs, random, .5);
  for (std::size_t p = sequences.begin(0); p < sequences.end(0); ++p) {
    sequences.unary(p)[1] -= 2e4f;
    sequences.unary(p)[2] -= 2e4f;
  }
  PairChainDraws draws(pairs);
  EXPECT_TRUE(std::isfinite(draws.sum(sequences.unary(sequences.begin(0)), kDrawnLength)));
  Assignment labels(kDrawnLength);
  draws.draw(labels.data(), random);
  EXPECT_TRUE(std::isfinite(draws.log_probability(labels.data())));
}

TEST(PairChainDrawsTest, WithoutAPossibleLabelTheSumIsMinusInfinity) {
  const LabelNgrams pairs(kDrawnLabels, 2);
  Random random(4);
  LabelSequences sequences = chains_to_draw(pairs, random, 1);
  for (int k = 0; k < kDrawnLabels; ++k) sequences.unary(sequences.begin(0))[k] = kImpossibleF;
  EXPECT_EQ(PairChainDraws(pairs).sum(sequences.unary(sequences.begin(0)), kDrawnLength), kImpossible);
}

}  // namespace
}  // namespace fovea::sequence
