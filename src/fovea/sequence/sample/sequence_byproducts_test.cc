// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/log_math.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_sequences.h"

// The kernels' byproducts, unary_start() and add_conditionals(), against plain loops in double precision.

namespace fovea::sequence {
namespace {

using testing::for_each_instruction_set;

/// p(k | rest) for each label, from scores; empty if none is possible.
std::vector<double> softmax(std::span<const float> scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  if (best == -std::numeric_limits<double>::infinity()) return {};
  std::vector<double> p(scores.size());
  std::transform(scores.begin(), scores.end(), p.begin(), [&](float s) { return std::exp(double{s} - best); });
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x /= total;
  return p;
}

TEST(UnaryStartTest, BestLabelAndDoubtOfEachTokenAlone) {
  for (const int labels : {1, 3, 16, 17, 49, 64, 70}) {
    const auto made =
        testing::random_sequences({.label_count = labels, .lengths = {3, 0, 2}, .scale = 2, .forbidden = .2}, 31);
    const LabelSequences& sequences = *made.sequences;
    for_each_instruction_set([&] {
      Assignment y = sequences.make_labeling();
      std::vector<float> doubt(sequences.position_count(), -1);
      unary_start(sequences, y, doubt.data());
      for (std::size_t p = 0; p < y.size(); ++p) {
        const std::span<const float> unary(sequences.unary(p), static_cast<std::size_t>(labels));
        const std::vector<double> law = softmax(unary);
        const bool token = sequences.make_labeling()[p] != sequences.ngrams().pad();
        EXPECT_EQ(y[p],
                  !token ? sequences.ngrams().pad() : std::max_element(unary.begin(), unary.end()) - unary.begin());
        EXPECT_NEAR(doubt[p], !token ? -1 : law.empty() ? 1 : 1 - *std::max_element(law.begin(), law.end()), 1e-6);
      }
    });
  }
}

TEST(UnaryStartTest, FollowsItsLawAndOpensLabels) {
  for (const int labels : {3, 17, 49}) {
    const auto made =
        testing::random_sequences({.label_count = labels, .lengths = {5, 2}, .scale = 2, .forbidden = .1}, 33);
    const LabelSequences& sequences = *made.sequences;
    UnaryLaw law{.scale = 1.7f, .bias = AlignedVector<float>(sequences.ngrams().stride())};
    for (int k = 0; k < labels; ++k) law.bias[k] = static_cast<float>(k % 5) / 2;
    for_each_instruction_set([&] {
      Assignment y = sequences.make_labeling();
      std::vector<float> doubt(sequences.position_count());
      OpenLabels open;
      unary_start(sequences, y, doubt.data(), law, &open, .1);
      for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) {
          std::vector<float> scores(static_cast<std::size_t>(labels));
          for (std::size_t k = 0; k < scores.size(); ++k) scores[k] = 1.7f * sequences.unary(p)[k] + law.bias[k];
          const std::vector<double> probability = softmax(scores);
          const auto best = std::max_element(probability.begin(), probability.end());
          EXPECT_EQ(y[p], best - probability.begin());
          EXPECT_NEAR(doubt[p], 1 - *best, 1e-5);
          std::vector<Value> expected;
          for (std::size_t k = 0; k < scores.size(); ++k)
            if (probability[k] >= .1 * *best) expected.push_back(static_cast<Value>(k));
          std::vector<Value> opened(open.at(p).begin(), open.at(p).end());
          if (opened.empty()) opened = {y[p]};  // there is no choice
          EXPECT_EQ(opened[0], y[p]);
          std::sort(opened.begin(), opened.end());
          EXPECT_EQ(opened, expected);
        }
    });
  }
}

TEST(UnaryStartTest, TiesGoToTheCurrentLabelThenTheLowestAndTheImpossibleStay) {
  const LabelNgrams ngrams(3, 2);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{3});
  sequences.unary(1)[0] = -1;  // labels 1 and 2 tie, 2 is the current one
  sequences.unary(2)[0] = -1;  // the same, 0 is the current one
  std::fill_n(sequences.unary(3), 3, kImpossibleF);
  for_each_instruction_set([&] {
    Assignment y = {3, 2, 0, 1, 3};
    std::vector<float> doubt(5);
    unary_start(sequences, y, doubt.data());
    EXPECT_EQ(y, (Assignment{3, 2, 1, 1, 3}));
    EXPECT_EQ(doubt[3], 1);
  });
}

TEST(AddConditionalsTest, AddsTheConditionalOfEachVisitedPosition) {
  for (const int labels : {3, 17, 49, 70})
    for (int q = 1; q <= 3; ++q) {
      const auto made = testing::random_sequences(
          {.label_count = labels, .factor_size = q, .lengths = {4}, .ngram_density = .2, .forbidden = .1}, 37);
      LabelSequences& sequences = *made.sequences;
      const std::size_t stride = sequences.ngrams().stride(), begin = sequences.begin(0);
      std::fill_n(sequences.unary(begin + 1), labels, kImpossibleF);
      const std::vector<VariableId> batch = {static_cast<VariableId>(begin + 2), static_cast<VariableId>(begin + 1)};
      const Assignment y = sequences.make_labeling();
      std::vector<float> scores(static_cast<std::size_t>(labels));
      // Window by window, as the whole sequence scores -inf.
      for (std::size_t k = 0; k < scores.size(); ++k) {
        Assignment z = y;
        z[begin + 2] = static_cast<Value>(k);
        scores[k] = sequences.unary(begin + 2)[k];
        for (std::size_t p = begin + 2; p < begin + 4 && p < begin + 2 + static_cast<std::size_t>(q); ++p)
          scores[k] += sequences.ngrams().window_score(z.data() + p + 1 - q);
      }
      const std::vector<double> law = softmax(scores);
      ASSERT_FALSE(law.empty());
      for_each_instruction_set([&] {
        AlignedVector<float> sums(sequences.position_count() * stride, 0.25f);
        add_conditionals(sequences, y, batch, sums.data());
        for (std::size_t i = 0; i < sums.size(); ++i) {
          const std::size_t k = i % stride;
          const bool visited = i / stride == begin + 2 && k < law.size();
          EXPECT_NEAR(sums[i], 0.25 + (visited ? law[k] : 0), 1e-6) << labels << " f" << q << " " << i / stride;
        }
      });
    }
}

}  // namespace
}  // namespace fovea::sequence
