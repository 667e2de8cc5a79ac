// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/record_rule_learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/clustering/clustering_chain.h"
#include "tests/support/attribute_models.h"

namespace fovea::linkage {
namespace {

const RecordRule kPlanted{.weights = {-1, -0.5, -0.05, -0.3, 0.2, -0.4, -0.2, 0.5, -0.1, 0.04}};

/// Proposals with the gains that the planted rule expects: exactly, or with noise, a fifth more moves up and as many
/// down in return.
RecordTrace planted_trace(double noise, Random random) {
  RecordTrace trace;
  for (const std::size_t records : {16, 64, 512})
    for_each_record_features([&](const RecordFeatures& features) {
      const double gain = std::exp(kPlanted.log_gain(features, std::log2(static_cast<double>(records))));
      for (int i = 0; i < 200; ++i) {
        const double better = 1.2 * gain / (1 + gain), worse = 0.2 * gain / (1 + gain);
        const double drawn = random.bernoulli(better) ? 1 : random.bernoulli(worse / (1 - better)) ? -1 : 0;
        trace.add(features, records, noise > 0 ? drawn * (1 + gain) : gain);
      }
    });
  return trace;
}

/// Largest error of the gains that a rule expects, where there is something to expect.
double largest_error(const RecordRule& rule) {
  double error = 0;
  for_each_record_features([&](const RecordFeatures& features) {
    if (const double expected = kPlanted.log_gain(features, 6); expected > -4)
      error = std::max(error, std::abs(rule.log_gain(features, 6) - expected));
  });
  return error;
}

TEST(RecordRuleLearnerTest, RecoversAPlantedRule) {
  EXPECT_LT(largest_error(fit_record_rule(planted_trace(0, Random(1)))), 0.05);
}

// About 1500 moves up and 250 down are the evidence for ten weights; a log gain is known within .25 by three standard
// errors.
TEST(RecordRuleLearnerTest, RecoversItFromNoisyProposals) {
  EXPECT_LT(largest_error(fit_record_rule(planted_trace(1, Random(1)))), 0.5);
}

TEST(RecordRuleLearnerTest, RefusesATraceWithoutGain) {
  RecordTrace trace;
  trace.add({}, 10, -1);
  EXPECT_THROW(fit_record_rule(trace), InternalError);
}

std::vector<AttributePairs> models(std::uint64_t seed) {
  std::vector<AttributePairs> models;
  for (const std::uint32_t records : {60u, 120u, 240u})
    models.push_back(testing::noisy_entities(records, 12, Random(seed)));
  return models;
}

TEST(RecordRuleLearnerTest, IsReproducible) {
  const auto weights = [&](std::uint64_t seed) {
    return learn_record_rule(models(1), {.rounds = 2, .sweeps = 10}, Random(seed)).weights;
  };
  EXPECT_EQ(weights(1), weights(1));
  EXPECT_NE(weights(1), weights(2));
}

TEST(RecordRuleLearnerTest, LearnsThatTheOftenRefusedAreSettled) {
  const RecordRule rule = learn_record_rule(models(1), {}, Random(1));
  EXPECT_LT(rule.log_gain({.age = 7}, 7), rule.log_gain({.age = 0}, 7) - 3);
}

}  // namespace
}  // namespace fovea::linkage
