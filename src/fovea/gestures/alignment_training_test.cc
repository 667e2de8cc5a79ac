// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/alignment_training.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/gestures/generated_gestures.h"

namespace fovea::gestures {
namespace {

const std::vector<CountedWord> kTrainedWords = {{"the", 90}, {"then", 20}, {"that", 40}, {"water", 5}, {"good", 9}};

/// 40 generated gestures, and a trainer of them.
struct SmallTraining {
  explicit SmallTraining(AlignmentMethod method, std::uint64_t seed = 1)
      : trainer(gestures, words, {.method = method, .epsilon = .05, .chains = 8, .start_passes = 2},
                {.random = Random(seed)}) {}

  static std::vector<Gesture> typed() {
    const GeneratedGestures generated(kTrainedWords, {.uniform = true}, Random(4));
    std::vector<Gesture> result;
    for (std::uint64_t i = 0; i < 40; ++i) result.push_back(generated.gesture(i));
    return result;
  }

  WordTrie words{kTrainedWords};
  std::vector<Gesture> gestures = typed();
  AlignmentTrainer trainer;
};

TEST(AlignmentTraining, EveryPassOfUClimbsItsLikelihood) {
  SmallTraining training(AlignmentMethod::kDoeblin);
  const AlignmentPass first = training.trainer.start_pass(), second = training.trainer.start_pass();
  EXPECT_TRUE(first.start_only);
  EXPECT_EQ(first.number, 1);
  EXPECT_EQ(first.gestures + first.unreadable, 40U);
  EXPECT_GT(second.log_likelihood, first.log_likelihood);
}

// Assumption 4.3: A leaves u invariant before it is trained, so that the likelihood of the restarting chain is u's.
TEST(AlignmentTraining, TheChainBeginsWhereUEnds) {
  SmallTraining training(AlignmentMethod::kDoeblin), alone(AlignmentMethod::kDoeblin);
  for (int pass = 0; pass < 5; ++pass) {
    training.trainer.start_pass();
    alone.trainer.start_pass();
  }
  const AlignmentPass both = training.trainer.pass();
  const AlignmentPass u = alone.trainer.start_pass();
  EXPECT_FALSE(both.start_only);
  EXPECT_GT(both.error, 0);
  EXPECT_NEAR(both.log_likelihood, u.log_likelihood, .5);  // both move while they are measured
  EXPECT_GT(training.trainer.pass().log_likelihood, both.log_likelihood);
}

TEST(AlignmentTraining, BaselinesHaveNoLikelihoodAndRunsOfOneLength) {
  for (const AlignmentMethod method : {AlignmentMethod::kUGibbs, AlignmentMethod::kBasicGibbs}) {
    SmallTraining training(method);
    training.trainer.start_pass();
    const AlignmentPass pass = training.trainer.pass();
    EXPECT_TRUE(std::isnan(pass.log_likelihood)) << word_of(method);
    EXPECT_EQ(pass.transitions, pass.gestures * 8 * 20) << word_of(method);
  }
}

// Of the start and 20 steps, the first 10 are burn-in.
TEST(AlignmentTraining, KeepsTheSecondHalfOfARun) {
  const SmallTraining training(AlignmentMethod::kUGibbs);
  const AlignmentLattice lattice(training.gestures[0].keys, training.trainer.parameters());
  const AlignmentChain chain(lattice, training.words);
  Random random(3);
  EXPECT_EQ(kept_samples(chain, AlignmentMethod::kUGibbs, 20, random).size(), 11U);
}

TEST(AlignmentTraining, TheSameSeedLearnsTheSameWeights) {
  const auto weights = [](std::uint64_t seed) {
    SmallTraining training(AlignmentMethod::kDoeblin, seed);
    training.trainer.start_pass();
    training.trainer.pass();
    return training.trainer.parameters().weights;
  };
  EXPECT_EQ(weights(1), weights(1));
  EXPECT_NE(weights(1), weights(2));
}

}  // namespace
}  // namespace fovea::gestures
