// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/best_so_far.h"

#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/log_math.h"
#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

/// Remembers every sequence's best labeling by scoring it after every visit.
class BruteForceMemory {
 public:
  BruteForceMemory(const LabelSequences& label_sequences, const Assignment& start) : label_sequences_(label_sequences) {
    for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s)
      scores_.push_back(label_sequences.log_score(s, start));
  }
  void observe(const Assignment& current) {
    for (std::size_t s = 0; s < scores_.size(); ++s)
      scores_[s] = std::max(scores_[s], label_sequences_.log_score(s, current));
  }
  double score(std::size_t s) const { return scores_[s]; }

 private:
  const LabelSequences& label_sequences_;
  std::vector<double> scores_;
};

void expect_as_remembered(const LabelSequences& label_sequences, const BestSoFar& best,
                          const BruteForceMemory& memory) {
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s) {
    const double score = label_sequences.log_score(s, best.labeling());
    if (memory.score(s) == kImpossible) EXPECT_EQ(score, kImpossible);
    else ASSERT_NEAR(score, memory.score(s), 1e-3);  // some hundred gains in single precision
  }
}

void expect_as_remembered(const LabelSequences& label_sequences, std::uint64_t seed) {
  Assignment y = label_sequences.make_labeling();
  BestSoFar best(label_sequences, y);
  BruteForceMemory memory(label_sequences, y);
  const SequenceGibbs kernel(label_sequences);
  const std::vector<VariableId> order = left_to_right_order(label_sequences);
  Random random(seed);
  for (int visit = 0; visit < 400; ++visit) {
    const VariableId p = order[random.uniform_index(static_cast<std::uint32_t>(order.size()))];
    mcmc::SiteInfo info;
    best.observe({&p, 1}, kernel.step(y, {&p, 1}, random, std::span<mcmc::SiteInfo>(&info, 1)), y);
    memory.observe(y);
    expect_as_remembered(label_sequences, best, memory);
  }
}

TEST(BestSoFarTest, MatchesMemoryOfAllScores) {
  for (int q = 1; q <= 4; ++q) {
    const auto made = testing::random_sequences({.factor_size = q, .lengths = {5, 0, 1, 3}, .scale = 2}, 3);
    expect_as_remembered(*made.sequences, 7);
  }
}

TEST(BestSoFarTest, SeesTheSamplesWithinABatch) {
  for (int q = 1; q <= 4; ++q) {
    const auto made = testing::random_sequences({.factor_size = q, .lengths = {25, 0, 1, 13}, .scale = 2}, 5);
    const LabelSequences& label_sequences = *made.sequences;
    const std::vector<VariableId> order = colour_order(label_sequences);
    Assignment y = label_sequences.make_labeling(), alone = y;
    BestSoFar best(label_sequences, y);
    BruteForceMemory memory(label_sequences, y);
    const SequenceGibbs kernel(label_sequences);
    Random together(11), one_by_one(11);  // the draws are the same either way
    std::vector<float> gains(order.size());
    for (int sweep = 0; sweep < 20; ++sweep) {
      best.observe(order, kernel.step(y, order, together, mcmc::VisitRecord{.gains = gains.data()}), y);
      for (const VariableId p : order) {
        kernel.step(alone, {&p, 1}, one_by_one);
        memory.observe(alone);
      }
      ASSERT_EQ(y, alone);
      expect_as_remembered(label_sequences, best, memory);
    }
  }
}

TEST(BestSoFarTest, LeavesAnImpossibleStart) {
  // Labels 0 0 are forbidden, and so is the start.
  const LabelNgram forbidden{.labels = {0, 0}, .size = 2, .score = -std::numeric_limits<float>::infinity()};
  const LabelNgrams ngrams(3, 2, std::span(&forbidden, 1));
  LabelSequences label_sequences(ngrams);
  label_sequences.reset(std::vector<std::uint32_t>{4, 2});
  ASSERT_EQ(label_sequences.log_score(0, label_sequences.make_labeling()), kImpossible);
  expect_as_remembered(label_sequences, 9);
}

TEST(BestSoFarTest, KeepsTheStartIfNothingIsBetter) {
  const auto made = testing::random_sequences({.lengths = {4}}, 1);
  const Assignment start = made.sequences->make_labeling();
  BestSoFar best(*made.sequences, start);
  Assignment worse = start;
  const auto p = static_cast<VariableId>(made.sequences->begin(0));
  worse[p] = 1;
  const mcmc::SiteInfo loss{.before = 0, .after = 1, .log_gain = -1};
  best.observe({&p, 1}, {.work = {}, .changes = 1, .sites = {&loss, 1}}, worse);
  EXPECT_EQ(best.labeling(), start);
  // Half of the loss back is still below the start.
  const mcmc::SiteInfo half{.before = 1, .after = 2, .log_gain = 0.5f};
  worse[p] = 2;
  best.observe({&p, 1}, {.work = {}, .changes = 1, .sites = {&half, 1}}, worse);
  EXPECT_EQ(best.labeling(), start);
}

}  // namespace
}  // namespace fovea::sequence
