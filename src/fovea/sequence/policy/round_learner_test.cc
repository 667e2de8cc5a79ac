// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/round_learner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

/// Two labels that like to be equal to their neighbours: the more a token's unary scores doubt, the more often its
/// neighbours overrule them, so that the expected gain of a visit rises with the doubt.
struct SmoothChains {
  SmoothChains() : ngrams(2, 2, kPairs), sequences(ngrams), random(3) {
    sequences.reset(std::vector<std::uint32_t>(300, 20));
    for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
      for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p)
        sequences.unary(p)[1] = 4 * static_cast<float>(random.normal());
    y = sequences.make_labeling();
    doubt.resize(sequences.position_count());
    unary_start(sequences, y, doubt.data());
  }
  RoundPolicy learn(VisitReward reward) {
    Random order(5);
    return learn_round_policy({&sequences, &y, doubt}, reward, {}, order);
  }

  inline static const std::vector<LabelNgram> kPairs = {{.labels = {0, 0}, .size = 2, .score = 2},
                                                        {.labels = {1, 1}, .size = 2, .score = 2}};
  LabelNgrams ngrams;
  LabelSequences sequences;
  Random random;
  Assignment y;
  std::vector<float> doubt;
};

TEST(RoundLearnerTest, GainsRankByDoubtAndByDiscord) {
  for (const VisitReward reward : {VisitReward::kSample, VisitReward::kBest}) {
    SmoothChains model;
    const RoundPolicy policy = model.learn(reward);
    EXPECT_GT(policy.w, 0);
    const auto gain = [&](float doubt, Value before, Value own, Value after) {
      return policy.score(doubt, before, own, after);  // rises with the gain, and also below the least one seen
    };
    EXPECT_FALSE(policy.calibration.knots.empty());
    for (const Value own : {0, 1}) {
      const auto other = static_cast<Value>(1 - own);
      EXPECT_GT(gain(0.4f, other, own, other), gain(0.1f, other, own, other));
      EXPECT_GT(gain(0.1f, other, own, other), gain(0.02f, other, own, other));
      EXPECT_GT(gain(0.3f, other, own, other), gain(0.3f, own, own, other));
      EXPECT_GT(gain(0.3f, own, own, other), gain(0.3f, own, own, own));
    }
  }
}

TEST(RoundLearnerTest, LeavesTheStartAsItWasAndDependsOnTheSeedAlone) {
  SmoothChains model;
  const Assignment y = model.y;
  const std::vector<float> doubt = model.doubt;
  const RoundPolicy first = model.learn(VisitReward::kBest), again = model.learn(VisitReward::kBest);
  EXPECT_EQ(model.y, y);
  EXPECT_EQ(model.doubt, doubt);
  EXPECT_EQ(first.doubt, again.doubt);
  EXPECT_EQ(first.left, again.left);
  EXPECT_EQ(first.right, again.right);
  EXPECT_EQ(first.w, again.w);
}

TEST(RoundLearnerTest, HardConstraintsBrokenByTheStartLeaveWeightsFinite) {
  for (const VisitReward reward : {VisitReward::kSample, VisitReward::kBest}) {
    const auto made = testing::random_sequences(
        {.lengths = std::vector<std::uint32_t>(20, 8), .scale = 2, .ngram_density = 1, .forbidden = .1}, 17);
    Assignment y = made.sequences->make_labeling();
    std::vector<float> doubt(y.size());
    unary_start(*made.sequences, y, doubt.data());
    ASSERT_TRUE(std::isinf(made.sequences->log_score(y)));
    Random random(1);
    const RoundPolicy policy = learn_round_policy({made.sequences.get(), &y, doubt}, reward, {}, random);
    float sum = policy.w + policy.b + policy.changed;
    for (const float x : policy.doubt) sum += x;
    for (const float x : policy.left) sum += x;
    for (const float x : policy.right) sum += x;
    EXPECT_TRUE(std::isfinite(sum));
  }
}

}  // namespace
}  // namespace fovea::sequence
