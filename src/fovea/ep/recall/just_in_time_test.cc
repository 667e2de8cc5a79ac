// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/just_in_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/ep/operators/compound_gamma.h"
#include "fovea/ep/operators/gaussian_arithmetic.h"
#include "fovea/ep/operators/logistic.h"

namespace fovea::ep {
namespace {

std::vector<Message> logistic_incoming(Random& random, double centre = 0) {
  return {random.bernoulli(.5) ? Beta::from_counts(2, 1) : Beta::from_counts(1, 2),
          Gaussian::from_mean_variance(centre + 2 * random.normal(), std::exp(random.normal()))};
}

struct Outcome {
  double worst = 0;       // marginal KL of what was recalled
  std::size_t wrong = 0;  // above the limit
  double last = 0;        // the last message's mean
};

/// `count` messages about x, in batches of 50.
Outcome run_logistic(JustInTime& source, int count, Random& random, double centre = 0) {
  const LogisticOperator exact;
  Outcome outcome;
  for (int batch = 0; batch < count / 50; ++batch) {
    std::vector<Message> incoming;
    for (int i = 0; i < 50; ++i)
      for (const Message& message : logistic_incoming(random, centre)) incoming.push_back(message);
    std::vector<Tilted> results(50);
    source.compute(1, static_cast<std::uint64_t>(batch) * 50, incoming, results);
    for (std::size_t i = 0; i < 50; ++i) {
      const Tilted expected = exact.tilted(1, std::span(incoming).subspan(2 * i, 2), random);
      const double error = divergence(results[i].marginal, expected.marginal);
      outcome.worst = std::max(outcome.worst, error);
      outcome.wrong += error > source.options().max_marginal_kl;
      outcome.last = std::get<Gaussian>(results[i].marginal).mean();
      EXPECT_NEAR(results[i].log_mass, expected.log_mass, .3);
    }
  }
  return outcome;
}

TEST(JustInTime, SoonRecallsWhatItWasTold) {
  const LogisticOperator oracle;
  JustInTime source(oracle, {.always = true});
  Random random(1);
  run_logistic(source, 3000, random);
  const std::uint64_t asked = source.counts().oracle_calls();
  const Outcome outcome = run_logistic(source, 10000, random);
  EXPECT_LT(source.counts().oracle_calls() - asked, 600U);
  EXPECT_LT(outcome.wrong, 50U);  // half a percent
  EXPECT_LT(outcome.worst, .1);
  EXPECT_EQ(source.counts().messages, 13000U);
  EXPECT_GT(source.counts().audits, 50U);
}

// One regression on random waves has no splits where the factor bends: it asks more often, and errs more often.
TEST(JustInTime, LearnsByRandomFeaturesToo) {
  const LogisticOperator oracle;
  JustInTime source(oracle, {.alone = true, .random_features = true, .always = true});
  Random random(1);
  run_logistic(source, 3000, random);
  const std::uint64_t asked = source.counts().oracle_calls();
  const Outcome outcome = run_logistic(source, 10000, random);
  EXPECT_LT(source.counts().oracle_calls() - asked, 3000U);
  EXPECT_LT(outcome.wrong, 300U);
}

// Elsewhere it asks the oracle, and is right.
TEST(JustInTime, AsksWhereItHasNotBeen) {
  const LogisticOperator oracle;
  JustInTime source(oracle, {.always = true});
  Random random(2);
  run_logistic(source, 5000, random);
  const std::uint64_t recalled = source.counts().recalled;
  const Outcome far = run_logistic(source, 50, random, 30);
  EXPECT_EQ(source.counts().recalled, recalled);
  EXPECT_EQ(far.wrong, 0U);
}

TEST(JustInTime, LearnsTheMessageTooAsPublished) {
  const LogisticOperator oracle;
  for (const bool disagreement : {false, true}) {
    JustInTime source(oracle, {.by_message = true, .disagreement = disagreement, .always = true});
    Random random(3);
    run_logistic(source, 3000, random);
    const Outcome outcome = run_logistic(source, 3000, random);
    EXPECT_GT(source.counts().recalled, 2000U) << disagreement;
    EXPECT_LT(outcome.wrong, 150U) << disagreement;
  }
}

TEST(JustInTime, RecallsCompoundGammaMessages) {
  const CompoundGammaOperator oracle(CompoundGammaFactor{});
  JustInTime source(oracle, {.always = true});
  Random random(4);
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::vector<Message> incoming = {
        Gamma::from_shape_rate(.5 + 6 * std::exp(random.normal()), std::exp(random.normal()))};
    std::vector<Tilted> result(1);
    source.compute(0, static_cast<std::uint64_t>(i), incoming, result);
    if (i >= 2000) worst = std::max(worst, divergence(result[0].marginal, oracle.tilted(0, incoming, random).marginal));
  }
  EXPECT_LT(worst, 1e-2);
  EXPECT_GT(source.counts().recalled, 1500U);
}

TEST(JustInTime, DoesNotDependOnTheNumberOfThreads) {
  const LogisticOperator oracle;
  const auto last = [&](int threads) {
    JustInTime source(oracle, {.always = true}, Random(7), threads);
    Random random(5);
    return run_logistic(source, 2000, random).last;
  };
  EXPECT_EQ(last(1), last(2));
}

// The message of a line takes a few multiplications, which is less than a prediction takes.
TEST(JustInTime, GivesUpWhereTheOracleIsAsFast) {
  const LinearOperator oracle({2}, 0, 1);
  JustInTime source(oracle, {});
  Random random(6);
  const auto ask = [&](int times) {
    for (int i = 0; i < times; ++i) {
      const std::vector<Message> incoming = {Gaussian::from_mean_variance(random.normal(), 1),
                                             Gaussian::from_mean_variance(random.normal(), std::exp(random.normal()))};
      std::vector<Tilted> result(1);
      source.compute(1, static_cast<std::uint64_t>(i), incoming, result);
      EXPECT_LT(divergence(result[0].marginal, oracle.tilted(1, incoming, random).marginal), .1);
    }
  };
  ask(600);
  EXPECT_TRUE(source.counts().is_off);
  const std::uint64_t recalled = source.counts().recalled;
  ask(1000);
  EXPECT_EQ(source.counts().recalled, recalled);
  EXPECT_EQ(source.counts().messages, 1600U);
}

// Known variables and improper messages cannot be learned: the oracle answers.
TEST(JustInTime, AsksForWhatHasNoShape) {
  const LogisticOperator oracle;
  JustInTime source(oracle, {.always = true});
  const std::vector<Message> incoming = {Beta::from_counts(1.5, -.5), Gaussian::from_mean_variance(0, 1)};
  std::vector<Tilted> result(1);
  source.compute(1, 0, incoming, result);
  EXPECT_EQ(source.counts().unlearnable, 1U);
  EXPECT_TRUE(is_proper(result[0].marginal));
}

}  // namespace
}  // namespace fovea::ep
