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

// A run of a geometric length weighs as much as any other, however many samples it keeps.
TEST(AlignmentTraining, AccuracyWeighsEachRunTheSame) {
  SmallTraining training(AlignmentMethod::kDoeblin);
  for (int pass = 0; pass < 8; ++pass) training.trainer.start_pass();
  training.trainer.pass();
  const std::vector<Gesture> one(training.gestures.begin(), training.gestures.begin() + 1);
  const AlignmentParameters& parameters = training.trainer.parameters();
  constexpr int kRuns = 6;
  const AlignmentAccuracy found =
      alignment_accuracy(one, training.words, parameters, AlignmentMethod::kDoeblin, 20, kRuns, Random(7));
  const AlignmentLattice lattice(one[0].keys, parameters);
  const AlignmentChain chain(lattice, training.words);
  Random random = Random(7).child("accuracy", std::uint64_t{0});
  double by_run = 0, pooled = 0, kept = 0;
  for (int run = 0; run < kRuns; ++run) {
    const std::vector<Alignment> samples = kept_samples(chain, AlignmentMethod::kDoeblin, 20, random);
    double right = 0;
    for (const Alignment& z : samples) right += letters_of(lattice.word(z)) == one[0].word ? 1 : 0;
    by_run += right / static_cast<double>(samples.size()) / kRuns;
    pooled += right;
    kept += static_cast<double>(samples.size());
  }
  EXPECT_NEAR(found.words, by_run, 1e-12);
  EXPECT_GT(std::abs(by_run - pooled / kept), .01);
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
