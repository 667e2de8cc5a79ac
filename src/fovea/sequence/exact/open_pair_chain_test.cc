// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/open_pair_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/random.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

constexpr int kLabels = 6;

struct Answer {
  explicit Answer(const LabelSequences& sequences) : labels(sequences.make_labeling()), doubt(labels.size(), -1.0f) {
    open.reset(labels.size());
  }
  Assignment labels;
  std::vector<float> doubt;
  OpenLabels open;
};

/// Opens some labels at each token: none (its label is 2 then), or a random few.
OpenLabels random_open(const LabelSequences& sequences, Assignment& labels, Random& random) {
  OpenLabels open;
  open.reset(sequences.position_count());
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) {
      labels[p] = 2;
      if (random.uniform_index(4) == 0) continue;
      std::vector<float> weights(kLabels);
      for (float& w : weights) w = static_cast<float>(random.uniform_index(3));
      weights[random.uniform_index(kLabels)] = 3;
      open.open(p, weights, 2);
      labels[p] = open.at(p)[0];
    }
  return open;
}

/// The whole chain where all labels except the open ones are impossible.
Answer expected_answer(const testing::RandomSequences& made, const OpenLabels& open, const Assignment& labels) {
  LabelSequences& sequences = *made.sequences;
  ForwardBackward full(*made.ngrams);
  Answer answer(sequences);
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s) {
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p)
      for (Value k = 0; k < kLabels; ++k) {
        const auto allowed = open.at(p);
        const bool is_open = allowed.empty() ? k == labels[p] : std::ranges::find(allowed, k) != allowed.end();
        if (!is_open) sequences.unary(p)[k] = -std::numeric_limits<float>::infinity();
      }
    full.decode(sequences, s, &answer.labels, answer.doubt.data(), &answer.open, .3f);
  }
  return answer;
}

TEST(OpenPairChainTest, EqualsTheWholeChainOverTheOpenLabels) {
  for (const int layout : {2, 4})
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const auto made = testing::random_sequences(
          {.label_count = kLabels, .lengths = {1, 9, 0, 25, 2}, .scale = 2, .ngram_density = 1}, seed);
      // A layout for longer n-grams has more pads; only the pairs of `made` count.
      const LabelNgrams long_ngrams(kLabels, layout);
      LabelSequences sequences(long_ngrams);
      sequences.reset(std::vector<std::uint32_t>{1, 9, 0, 25, 2});
      for (std::size_t s = 0; s < 5; ++s)
        for (std::size_t t = 0; t < sequences.end(s) - sequences.begin(s); ++t)
          std::copy_n(made.sequences->unary(made.sequences->begin(s) + t), kLabels,
                      sequences.unary(sequences.begin(s) + t));
      Random random(seed), again(seed);
      Answer answer(sequences);
      const OpenLabels open = random_open(sequences, answer.labels, random);
      OpenPairChain chain(*made.ngrams);
      chain.weigh(sequences, open);
      for (std::size_t s = 0; s < 5; ++s)
        ASSERT_TRUE(chain.decode(sequences, s, open, answer.labels, answer.doubt.data(), &answer.open, .3f));
      Assignment labels = made.sequences->make_labeling();
      const OpenLabels same_open = random_open(*made.sequences, labels, again);
      const Answer expected = expected_answer(made, same_open, labels);
      for (std::size_t s = 0; s < 5; ++s)
        for (std::size_t t = 0; t < sequences.end(s) - sequences.begin(s); ++t) {
          const std::size_t p = sequences.begin(s) + t, e = made.sequences->begin(s) + t;
          ASSERT_EQ(answer.labels[p], expected.labels[e]);
          // Tokens without a choice keep what they hold.
          EXPECT_NEAR(answer.doubt[p], open.at(p).size() > 1 ? expected.doubt[e] : -1, 1e-5);
          EXPECT_THAT(answer.open.at(p), ::testing::ElementsAreArray(expected.open.at(e)));
        }
    }
}

TEST(OpenPairChainTest, SaysWhenTheOpenLabelsAllowNoLabeling) {
  std::vector<LabelNgram> forbidden;
  for (Value a = 0; a < 2; ++a)
    for (Value b = 0; b < 2; ++b)
      forbidden.push_back({.labels = {a, b}, .size = 2, .score = -std::numeric_limits<float>::infinity()});
  const LabelNgrams ngrams(3, 2, forbidden);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{2});
  Answer answer(sequences);
  OpenLabels open;
  open.reset(sequences.position_count());
  for (std::size_t p = sequences.begin(0); p < sequences.end(0); ++p) open.open(p, std::vector<float>{1, 1, 0}, 1);
  OpenPairChain chain(ngrams);
  chain.weigh(sequences, open);
  EXPECT_FALSE(chain.decode(sequences, 0, open, answer.labels, answer.doubt.data()));
}

TEST(OpenPairChainTest, LongRunsStayInRange) {
  const auto made =
      testing::random_sequences({.label_count = 2, .lengths = {20000}, .scale = 8, .ngram_density = 1}, 3);
  const LabelSequences& sequences = *made.sequences;
  Answer answer(sequences), expected(sequences);
  OpenLabels open;
  open.reset(sequences.position_count());
  for (std::size_t p = sequences.begin(0); p < sequences.end(0); ++p)
    open.open(p, {sequences.unary(p), 2}, std::numeric_limits<float>::lowest());
  OpenPairChain chain(*made.ngrams);
  chain.weigh(sequences, open);
  ASSERT_TRUE(chain.decode(sequences, 0, open, answer.labels, answer.doubt.data()));
  ForwardBackward(*made.ngrams).decode(sequences, 0, &expected.labels, expected.doubt.data());
  for (std::size_t p = sequences.begin(0); p < sequences.end(0); ++p)
    ASSERT_NEAR(answer.doubt[p], expected.doubt[p], 1e-4) << p;
}

}  // namespace
}  // namespace fovea::sequence
