// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

Policy measured_policy() {
  Policy policy;
  policy.label_count = 3;
  policy.factor_size = 2;
  policy.profile = {{.method = DecodeMethod::kExact, .quality = 0.90, .seconds_per_token = 8e-6},
                    {.method = DecodeMethod::kIcm,
                     .start = DecodeStart::kChain,
                     .sweeps = 2,
                     .quality = 0.85,
                     .seconds_per_token = 2e-6},
                    {.method = DecodeMethod::kLearned,
                     .start = DecodeStart::kChain,
                     .visit = VisitKind::kSample,
                     .threshold = 0.02,
                     .quality = 0.899,
                     .seconds_per_token = 3e-6},
                    {.method = DecodeMethod::kBeam, .beam_width = 4, .quality = 0.899, .seconds_per_token = 4e-6},
                    {.method = DecodeMethod::kGibbs, .sweeps = 16, .quality = 0.88, .seconds_per_token = 9e-6}};
  return policy;
}

class PlannerTest : public ::testing::Test {
 protected:
  Plan plan_for(double quality, double seconds = std::numeric_limits<double>::infinity()) const {
    return plan(ngrams_, &policy_, {.quality = quality}, {.seconds_per_token = seconds});
  }
  const LabelNgrams ngrams_{3, 2};
  const Policy policy_ = measured_policy();
};

TEST_F(PlannerTest, TakesTheCheapestThatIsGoodEnough) {
  EXPECT_EQ(plan_for(1).options.method, DecodeMethod::kExact);
  EXPECT_EQ(plan_for(0.99).options.method, DecodeMethod::kLearned);  // beam is as good, but more expensive
  EXPECT_EQ(plan_for(0.94).options.method, DecodeMethod::kIcm);
  EXPECT_EQ(plan_for(0).options.method, DecodeMethod::kIcm);
}

TEST_F(PlannerTest, DifferencesThatAreNoiseDoNotCount) {
  Policy policy = measured_policy();
  const auto method = [&](std::uint64_t tokens) {
    policy.quality_units = tokens;
    return plan(ngrams_, &policy, {.quality = 1}).options.method;
  };
  EXPECT_EQ(method(1'000'000), DecodeMethod::kExact);
  EXPECT_EQ(method(2'000), DecodeMethod::kLearned);  // .899 against .9, with a standard error of .0067
  EXPECT_EQ(method(1), DecodeMethod::kIcm);
}

TEST_F(PlannerTest, PredictsAndCopiesTheMeasuredSettings) {
  const Plan learned = plan_for(0.99);
  EXPECT_EQ(learned.seconds_per_token, 3e-6);
  EXPECT_EQ(learned.quality, 0.899);
  EXPECT_EQ(learned.options.start, DecodeStart::kChain);
  EXPECT_EQ(learned.options.visit, VisitKind::kSample);
  EXPECT_EQ(learned.options.schedule, LearnedSchedule::kRounds);
  EXPECT_EQ(learned.options.threshold, 0.02);
  EXPECT_THAT(learned.reason, HasSubstr("0.99"));
  EXPECT_EQ(plan_for(0).options.sweeps, 2);
}

TEST_F(PlannerTest, UnderATimeLimitTakesTheBestThatFits) {
  EXPECT_EQ(plan_for(1, 8e-6).options.method, DecodeMethod::kExact);
  EXPECT_EQ(plan_for(1, 5e-6).options.method, DecodeMethod::kLearned);
  EXPECT_EQ(plan_for(0.99, 2.5e-6).options.method, DecodeMethod::kIcm);
  EXPECT_THAT(plan_for(0.99, 2.5e-6).reason, HasSubstr("time limit"));
}

TEST_F(PlannerTest, TakesTheFastestWhenNothingFits) {
  EXPECT_EQ(plan_for(1, 1e-9).options.method, DecodeMethod::kIcm);
  EXPECT_THAT(plan_for(1, 1e-9).reason, HasSubstr("fastest"));
}

TEST_F(PlannerTest, WhatIsPlannedCanBeRunWhateverAnswerWasAskedFor) {
  const auto made = testing::random_sequences({}, 1);
  for (const DecodeAnswer answer : {DecodeAnswer::kLast, DecodeAnswer::kBest, DecodeAnswer::kMarginal})
    for (const double quality : {1.0, 0.99, 0.94}) {
      const Plan plan = sequence::plan(*made.ngrams, &policy_, {.answer = answer, .quality = quality});
      EXPECT_NO_THROW(SequenceDecoder(*made.ngrams, &policy_, plan.options))
          << word_of(plan.options.method) << " " << word_of(answer);
    }
}

TEST_F(PlannerTest, MarginalsAreExact) {
  EXPECT_EQ(plan(ngrams_, &policy_, {.quality = 0}, {.marginals = true}).options.method, DecodeMethod::kExact);
}

TEST_F(PlannerTest, MarginalsBeyondExactAreAveraged) {
  const auto wide = testing::random_sequences({.label_count = 30, .factor_size = 4, .ngram_density = .5}, 1);
  const Plan plan = sequence::plan(*wide.ngrams, nullptr, {}, {.marginals = true});
  EXPECT_EQ(plan.options.method, DecodeMethod::kGibbs);
  EXPECT_NO_THROW(SequenceDecoder(*wide.ngrams, nullptr, plan.options, {.marginals = true}));
}

TEST_F(PlannerTest, MethodsThatWereAskedForStay) {
  for (const DecodeMethod method :
       {DecodeMethod::kExact, DecodeMethod::kBeam, DecodeMethod::kIcm, DecodeMethod::kGibbs, DecodeMethod::kLearned}) {
    const DecodeOptions asked = {.method = method, .sweeps = 77, .threshold = 3};
    EXPECT_EQ(options_json(plan(ngrams_, &policy_, asked).options), options_json(asked));
  }
}

TEST_F(PlannerTest, ARegretIsThatOfOneMethod) {
  EXPECT_THROW(plan(ngrams_, &policy_, {.regret = .01}), UsageError);
  EXPECT_NO_THROW(plan(ngrams_, &policy_, {.method = DecodeMethod::kLearned, .regret = .01}));
}

TEST_F(PlannerTest, WithoutAPolicyExactIfAffordableElseABeam) {
  EXPECT_EQ(plan(ngrams_, nullptr, {}).options.method, DecodeMethod::kExact);
  EXPECT_GT(plan(ngrams_, nullptr, {}).seconds_per_token, 0);
  const Policy unmeasured;
  EXPECT_EQ(plan(ngrams_, &unmeasured, {}).options.method, DecodeMethod::kExact);
  EXPECT_EQ(plan(ngrams_, nullptr, {}, {.seconds_per_token = 1e-12}).options.method, DecodeMethod::kBeam);
  const auto wide = testing::random_sequences({.label_count = 30, .factor_size = 4, .ngram_density = 0.2}, 1);
  const Plan beam = plan(*wide.ngrams, nullptr, {});
  EXPECT_EQ(beam.options.method, DecodeMethod::kBeam);
  EXPECT_THAT(beam.reason, HasSubstr("fovea tune"));
}

}  // namespace
}  // namespace fovea::sequence
