// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/doeblin_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/sequence/learn/crf/crf_trainer.h"
#include "fovea/sequence/learn/doeblin/run_masses.h"
#include "tests/support/reference_crf.h"
#include "tests/support/temporary_folder.h"

namespace fovea::sequence {
namespace {

/// Labels that depend on the label two before, which pairs cannot see, and a little on the item.
TrainingSet every_other(std::size_t sequences) {
  Random random(9);
  TrainingSet set = testing::empty_training_set(2, 2);
  for (std::size_t s = 0; s < sequences; ++s) {
    for (std::size_t t = 0; t < 12; ++t) {
      const std::size_t item = set.labels.size();
      const bool is_new = t < 2 || random.bernoulli(.05);
      const auto label =
          is_new ? static_cast<Value>(random.uniform_index(2)) : static_cast<Value>(set.labels[item - 2]);
      set.labels.push_back(label);
      set.items.items.columns.push_back(random.bernoulli(.6) ? label : 1u - label);
      set.items.items.end_row();
    }
    set.items.sequence_begin.push_back(static_cast<std::uint32_t>(set.labels.size()));
  }
  return set;
}

CrfTrainer::Result trained(const TrainingSet& set, CrfTrainerOptions options, std::uint64_t seed = 1) {
  options.gradient = CrfGradient::kDoeblin;
  options.factor_size = 3;
  options.l2 = .1;
  return CrfTrainer(options).train(set, {.random = Random(seed)});
}

TEST(DoeblinTrainingTest, SweepsLearnWhatPairsCannotSee) {
  const TrainingSet set = every_other(200);
  const CrfTrainer::Result result = trained(set, {.iterations = 6, .restart_rate = .2});
  ASSERT_EQ(result.summary.curve.size(), 6u);
  const optimize::IterationRecord &first = result.summary.curve.front(), &last = result.summary.curve.back();
  EXPECT_LT(last.objective + 5 * *last.objective_error, first.objective - 5 * *first.objective_error);
  EXPECT_LT(last.objective, .5) << "the pairs alone know each label about as well as a coin: .69, less for the item";
  EXPECT_EQ(result.summary.restart_rate, .2);
  const auto& ngrams = result.weights.ngrams();
  EXPECT_TRUE(std::ranges::any_of(ngrams, [](const LabelNgram& n) { return n.size == 3 && n.score > .3; }));
}

TEST(DoeblinTrainingTest, TheRateIsLearned) {
  const CrfTrainer::Result result = trained(every_other(100), {.iterations = 3});
  EXPECT_GT(result.summary.restart_rate, 1. / 256);
  EXPECT_LT(result.summary.restart_rate, 1) << "sweeps gain here";
}

TEST(DoeblinTrainingTest, OneSeedOneResult) {
  const TrainingSet set = every_other(20);
  const auto weights = [&](std::uint64_t seed) {
    const CrfWeights w = trained(set, {.iterations = 2}, seed).weights;
    return std::vector<float>(w.weights().begin(), w.weights().end());
  };
  EXPECT_EQ(weights(1), weights(1));
  EXPECT_NE(weights(1), weights(2));
}

TEST(DoeblinTrainingTest, AResumedTrainingIsThatWithoutABreak) {
  const TrainingSet set = every_other(40);
  const testing::TemporaryFolder folder;
  for (const CrfGradient gradient : {CrfGradient::kDoeblin, CrfGradient::kGibbs, CrfGradient::kExact}) {
    const auto weights = [&](int iterations, const TrainingHooks& hooks) {
      const CrfTrainer trainer(
          {.factor_size = 3, .l2 = .1, .gradient = gradient, .iterations = iterations, .learning_rate = .7});
      const CrfWeights w = trainer.train(set, {}, hooks).weights;
      std::vector<float> all(w.weights().begin(), w.weights().end());
      for (const LabelNgram& ngram : w.ngrams()) all.push_back(ngram.score);
      return all;
    };
    TrainingHooks first, second;
    first.checkpoint_path = second.resume_path = folder / (std::string(word_of(gradient)) + ".checkpoint");
    first.checkpoint_seconds = 0;
    (void)weights(2, first);
    EXPECT_EQ(weights(5, second), weights(5, {})) << word_of(gradient);
  }
}

TEST(DoeblinTrainingTest, EveryItemNeedsALabel) {
  TrainingSet set = every_other(3);
  set.labels[5] = kUnknownLabel;
  EXPECT_THROW(trained(set, {}), UsageError);
}

TEST(RestartRateLearnerTest, TheLikelihoodAtOtherRatesIsKnownFromTheRuns) {
  RestartRateLearner learner;
  RunMasses masses;
  masses.add({.2 * .1, .2 * .4, .2 * .5});  // epsilon p(y after t steps)
  masses.add({.2 * .1});
  learner.add(masses, .2, -3);
  for (const double epsilon : {1.0, .5, .1})
    EXPECT_NEAR(learner.mean_log_likelihood(epsilon),
                std::log(epsilon * .1 + epsilon * (1 - epsilon) * .4 + (1 - epsilon) * (1 - epsilon) * .5) - 3, 1e-6);
  EXPECT_LT(learner.best(100), learner.best(.1));
}

}  // namespace
}  // namespace fovea::sequence
