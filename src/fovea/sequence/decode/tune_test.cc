// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/tune.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "fovea/base/error.h"
#include "fovea/sequence/decode/planner.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/exact/viterbi.h"
#include "tests/support/random_sequences.h"
#include "tests/support/temporary_folder.h"

namespace fovea::sequence {
namespace {

/// Sequences with the model's own best labels as gold, so that exact decoding is right everywhere.
struct TuneFixture {
  explicit TuneFixture(int factor_size, double forbidden = 0)
      : made(testing::random_sequences({.factor_size = factor_size,
                                        .lengths = std::vector<std::uint32_t>(30, 8),
                                        .scale = 2,
                                        .ngram_density = 0.9,
                                        .forbidden = forbidden},
                                       3)),
        gold(made.sequences->make_labeling()) {
    Viterbi(*made.ngrams).decode_all(*made.sequences, gold);
  }
  Policy tuned(const TuneOptions& options = {}, const fovea::Run& run = {}) const {
    Policy policy = tune(*made.sequences, gold, options, run);
    policy.label_names = {"A", "B", "C"};
    return policy;
  }
  testing::RandomSequences made;
  Assignment gold;
};

TEST(TuneTest, LearnsMeasuresAndPlansEndToEnd) {
  for (int q = 1; q <= 3; ++q) {
    SCOPED_TRACE(q);
    const TuneFixture f(q);
    const Policy policy = f.tuned();
    EXPECT_EQ(policy.label_count, 3);
    EXPECT_EQ(policy.factor_size, q);
    EXPECT_EQ(policy.pair_chain_start.empty(), q < 3);
    std::set<DecodeMethod> methods;
    for (const MethodProfile& p : policy.profile) {
      methods.insert(p.method);
      EXPECT_GT(p.seconds_per_token, 0);
      if (p.method == DecodeMethod::kExact) EXPECT_EQ(p.quality, 1);
      else EXPECT_LE(p.quality, 1);
    }
    EXPECT_EQ(methods.size(), q == 1 ? 1u : q == 2 ? 4u : 5u);
    const Plan best = plan(*f.made.ngrams, &policy, {.quality = 1});
    EXPECT_EQ(best.quality, 1);
    DecodeResult result;
    SequenceDecoder(*f.made.ngrams, &policy, best.options).decode(*f.made.sequences, {.random = Random(1)}, result);
    EXPECT_NEAR(f.made.sequences->log_score(result.labels), f.made.sequences->log_score(f.gold), 1e-3);
  }
}

TEST(TuneTest, WhatIsTunedSurvivesItsFile) {
  const TuneFixture f(3);
  const Policy policy = f.tuned({.measure = false});
  const testing::TemporaryFolder folder;
  policy.save(folder / "p");
  const Policy loaded = Policy::load(folder / "p");
  EXPECT_EQ(loaded.describe(), policy.describe());
  EXPECT_EQ(loaded.to_json(), policy.to_json());
}

TEST(TuneTest, HardConstraintsGiveAPolicyThatCanBeSaved) {
  const TuneFixture f(3, 0.1);
  const Policy policy = f.tuned({.measure = false});
  const testing::TemporaryFolder folder;
  policy.save(folder / "p");
  EXPECT_NO_THROW((void)Policy::load(folder / "p"));  // load() refuses weights that are not finite
}

TEST(TuneTest, TheSeedDecidesEverythingButTheClock) {
  const TuneFixture f(2);
  const Policy first = f.tuned({.measure = false}), again = f.tuned({.measure = false});
  EXPECT_EQ(first.to_json(), again.to_json());
  EXPECT_EQ(first.best_from_chain.doubt, again.best_from_chain.doubt);
  EXPECT_NE(first.to_json(), f.tuned({.measure = false}, {.random = Random(2)}).to_json());
}

TEST(TuneTest, RecipesSetWhatWasNotSet) {
  const TuneFixture f(2);
  const Policy printed = f.tuned({.recipe = PaperRecipe::kHeteroSampler, .measure = false});
  EXPECT_TRUE(printed.features.as_printed);
  EXPECT_EQ(printed.value_horizon, 1);
  const Policy coded = f.tuned({.recipe = PaperRecipe::kHeteroSamplerCode, .measure = false});
  EXPECT_FALSE(coded.features.as_printed);
  const Policy by_hand = f.tuned(
      {.learner = {.rate = 1, .delta = 1e-4, .rollout = RolloutAction::kRandomNeighbour, .expected_rewards = false},
       .choice = {.seeds = 1},
       .measure = false});
  EXPECT_EQ(coded.value.alpha, by_hand.value.alpha);
  EXPECT_NE(coded.value.alpha, printed.value.alpha);
  const Policy blind = f.tuned({.recipe = PaperRecipe::kHeteroSampler, .learner = {.horizon = 0}, .measure = false});
  EXPECT_EQ(blind.value_horizon, 0);
}

TEST(TuneTest, AnOrderThatIsNoBetterThanCyclicIsSaid) {
  std::vector<std::string> warnings;
  fovea::Run run;
  run.warn = [&](const std::string& text) { warnings.push_back(text); };
  const TuneFixture f(2);
  // Without meta-features all sites have the same value, so that the queue goes on with the same one for ever.
  MetaFeatureOptions none;
  MetaFeatureOptions::describe([&](auto field, const OptionInfo&) { none.*field = false; });
  const Policy policy = f.tuned({.features = none, .measure = false}, run);
  EXPECT_LT(policy.order_gain, 0);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("no better than cyclic order"), std::string::npos);
  EXPECT_NE(policy.describe().find("no better"), std::string::npos);
}

TEST(TuneTest, NothingToTuneOnIsSaid) {
  const LabelNgrams ngrams(2, 2);
  LabelSequences empty(ngrams);
  empty.reset({});
  EXPECT_THROW(tune(empty, empty.make_labeling(), {}), UsageError);
}

TEST(TuneTest, CancelledTuningHasNoProfile) {
  const TuneFixture f(2);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_TRUE(f.tuned({}, {.stop = {.cancel = &cancel}}).profile.empty());
}

}  // namespace
}  // namespace fovea::sequence
