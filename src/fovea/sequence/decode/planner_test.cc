// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/sequence/decode/sequence_decoder.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

using ::testing::HasSubstr;

Policy measured_policy() {
  Policy policy;
  policy.label_count = 3;
  policy.factor_size = 2;
  policy.profile = {{.method = "exact", .quality = 0.90, .seconds_per_token = 8e-6},
                    {.method = "icm", .start = "chain", .sweeps = 2, .quality = 0.85, .seconds_per_token = 2e-6},
                    {.method = "learned",
                     .start = "chain",
                     .visit = "sample",
                     .threshold = 0.02,
                     .quality = 0.899,
                     .seconds_per_token = 3e-6},
                    {.method = "beam", .beam_width = 4, .quality = 0.899, .seconds_per_token = 4e-6},
                    {.method = "gibbs", .sweeps = 16, .quality = 0.88, .seconds_per_token = 9e-6}};
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
  EXPECT_EQ(plan_for(1).options.method, "exact");
  EXPECT_EQ(plan_for(0.99).options.method, "learned");  // beam is as good but dearer
  EXPECT_EQ(plan_for(0.94).options.method, "icm");
  EXPECT_EQ(plan_for(0).options.method, "icm");
}

TEST_F(PlannerTest, DifferencesThatAreNoiseDoNotCount) {
  Policy policy = measured_policy();
  const auto method = [&](std::uint64_t tokens) {
    policy.profiled_tokens = tokens;
    return plan(ngrams_, &policy, {.quality = 1}).options.method;
  };
  EXPECT_EQ(method(1'000'000), "exact");
  EXPECT_EQ(method(2'000), "learned");  // .899 against .9, with a standard error of .0067
  EXPECT_EQ(method(1), "icm");
}

TEST_F(PlannerTest, PredictsAndCopiesTheMeasuredSettings) {
  const Plan learned = plan_for(0.99);
  EXPECT_EQ(learned.seconds_per_token, 3e-6);
  EXPECT_EQ(learned.quality, 0.899);
  EXPECT_EQ(learned.options.start, "chain");
  EXPECT_EQ(learned.options.visit, "sample");
  EXPECT_EQ(learned.options.schedule, "rounds");
  EXPECT_EQ(learned.options.threshold, 0.02);
  EXPECT_THAT(learned.reason, HasSubstr("0.99"));
  EXPECT_EQ(plan_for(0).options.sweeps, 2);
}

TEST_F(PlannerTest, UnderATimeLimitTakesTheBestThatFits) {
  EXPECT_EQ(plan_for(1, 8e-6).options.method, "exact");
  EXPECT_EQ(plan_for(1, 5e-6).options.method, "learned");
  EXPECT_EQ(plan_for(0.99, 2.5e-6).options.method, "icm");
  EXPECT_THAT(plan_for(0.99, 2.5e-6).reason, HasSubstr("time limit"));
}

TEST_F(PlannerTest, TakesTheFastestWhenNothingFits) {
  EXPECT_EQ(plan_for(1, 1e-9).options.method, "icm");
  EXPECT_THAT(plan_for(1, 1e-9).reason, HasSubstr("fastest"));
}

TEST_F(PlannerTest, WhatIsPlannedCanBeRunWhateverAnswerWasAskedFor) {
  const auto made = testing::random_sequences({}, 1);
  for (const char* answer : {"last", "best", "marginal"})
    for (const double quality : {1.0, 0.99, 0.94}) {
      const Plan plan = sequence::plan(*made.ngrams, &policy_, {.answer = answer, .quality = quality});
      EXPECT_NO_THROW(SequenceDecoder(*made.ngrams, &policy_, plan.options)) << plan.options.method << " " << answer;
    }
}

TEST_F(PlannerTest, MarginalsAreExact) {
  EXPECT_EQ(plan(ngrams_, &policy_, {.quality = 0}, {.marginals = true}).options.method, "exact");
}

TEST_F(PlannerTest, MarginalsBeyondExactAreAveraged) {
  const auto wide = testing::random_sequences({.label_count = 30, .factor_size = 4, .ngram_density = .5}, 1);
  const Plan plan = sequence::plan(*wide.ngrams, nullptr, {}, {.marginals = true});
  EXPECT_EQ(plan.options.method, "gibbs");
  EXPECT_NO_THROW(SequenceDecoder(*wide.ngrams, nullptr, plan.options, {.marginals = true}));
}

TEST_F(PlannerTest, MethodsThatWereAskedForStay) {
  for (const char* method : {"exact", "beam", "icm", "gibbs", "learned"}) {
    const DecodeOptions asked = {.method = method, .sweeps = 77, .threshold = 3};
    EXPECT_EQ(options_json(plan(ngrams_, &policy_, asked).options), options_json(asked));
  }
}

TEST_F(PlannerTest, WithoutAPolicyExactIfAffordableElseABeam) {
  EXPECT_EQ(plan(ngrams_, nullptr, {}).options.method, "exact");
  EXPECT_GT(plan(ngrams_, nullptr, {}).seconds_per_token, 0);
  const Policy unmeasured;
  EXPECT_EQ(plan(ngrams_, &unmeasured, {}).options.method, "exact");
  EXPECT_EQ(plan(ngrams_, nullptr, {}, {.seconds_per_token = 1e-12}).options.method, "beam");
  const auto wide = testing::random_sequences({.label_count = 30, .factor_size = 4, .ngram_density = 0.2}, 1);
  const Plan beam = plan(*wide.ngrams, nullptr, {});
  EXPECT_EQ(beam.options.method, "beam");
  EXPECT_THAT(beam.reason, HasSubstr("fovea tune"));
}

}  // namespace
}  // namespace fovea::sequence
