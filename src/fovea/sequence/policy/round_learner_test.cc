// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/round_learner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/sequence/sample/chain_kernel.h"
#include "tests/support/random_chains.h"

namespace fovea::sequence {
namespace {

/// Two labels that like to be equal to their neighbours: the more a token's unary scores doubt, the more often its
/// neighbours overrule them, so that the expected gain of a visit rises with the doubt.
struct SmoothChains {
  SmoothChains() : ngrams(2, 2, kPairs), chains(ngrams), random(3) {
    chains.reset(std::vector<std::uint32_t>(300, 20));
    for (std::size_t s = 0; s < chains.sequence_count(); ++s)
      for (std::size_t p = chains.begin(s); p < chains.end(s); ++p)
        chains.unary(p)[1] = 4 * static_cast<float>(random.normal());
    y = chains.make_labeling();
    doubt.resize(chains.position_count());
    unary_start(chains, y, doubt.data());
  }
  RoundPolicy learn(VisitReward reward) {
    Random order(5);
    return learn_round_policy(chains, y, doubt, reward, {}, order);
  }

  inline static const std::vector<LabelNgram> kPairs = {{.labels = {0, 0}, .size = 2, .score = 2},
                                                        {.labels = {1, 1}, .size = 2, .score = 2}};
  LabelNgrams ngrams;
  Chains chains;
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
      return policy.gain(policy.score(doubt, before, own, after));
    };
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
    const auto made = testing::random_chains(
        {.lengths = std::vector<std::uint32_t>(20, 8), .scale = 2, .ngram_density = 1, .forbidden = .1}, 17);
    Assignment y = made.chains->make_labeling();
    std::vector<float> doubt(y.size());
    unary_start(*made.chains, y, doubt.data());
    ASSERT_TRUE(std::isinf(made.chains->log_score(y)));
    Random random(1);
    const RoundPolicy policy = learn_round_policy(*made.chains, y, doubt, reward, {}, random);
    float sum = policy.w + policy.b + policy.changed;
    for (const float x : policy.doubt) sum += x;
    for (const float x : policy.left) sum += x;
    for (const float x : policy.right) sum += x;
    EXPECT_TRUE(std::isfinite(sum));
  }
}

}  // namespace
}  // namespace fovea::sequence
