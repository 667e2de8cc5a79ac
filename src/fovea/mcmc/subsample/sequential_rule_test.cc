// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/sequential_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/mcmc/subsample/hard_bound_rule.h"

namespace fovea::mcmc {
namespace {

/// A stream whose next exponential draw is known.
struct FixedThreshold {
  Random random{1};
  double next = 0;
  double exponential() const { return next; }
  std::uint32_t uniform_index(std::uint32_t n) { return random.uniform_index(n); }
};

constexpr std::size_t kFactors = 6000;

/// Two strata of 4000 and 2000 factors, whose means nearly cancel out.
class TwoStrata {
 public:
  explicit TwoStrata(Random& random) : differences_(kFactors) {
    const double shift = random.normal() / 4;
    for (std::size_t j = 0; j < differences_.size(); ++j)
      differences_[j] = std::clamp((j < vanishing() ? -0.5 : 1.0) + shift + random.normal() / 2, -bound(), bound());
  }
  std::size_t size() const { return differences_.size(); }
  std::size_t vanishing() const { return 4000; }
  double difference(std::size_t j) const { return differences_[j]; }
  double bound() const { return 2; }

 private:
  std::vector<double> differences_;
};

struct Outcome {
  int wrong = 0, trials = 0;
  double share = 0;  // of the factors
};

template <class Rule>
Outcome compare_with_all_factors(Rule rule, int trials) {
  Outcome outcome{.trials = trials};
  Random random(7);
  FixedThreshold stream;
  for (int trial = 0; trial < trials; ++trial) {
    const TwoStrata change(random);
    stream.next = random.exponential();
    const double log_proposal_ratio = random.normal();
    const Decision decision = rule.decide(change, log_proposal_ratio, stream);
    const bool truth = total_difference(change) + log_proposal_ratio > -stream.next;
    outcome.wrong += decision.accepted != truth;
    outcome.share += static_cast<double>(decision.factors) / kFactors / trials;
  }
  return outcome;
}

// Of 500 decisions that each err with probability .05, 52 or more are wrong with probability below 1e-6.
TEST(SequentialRuleTest, ErrsNoMoreOftenThanItSays) {
  const Outcome outcome = compare_with_all_factors(SequentialRule({.error = 0.05}), 500);
  EXPECT_LT(outcome.wrong, 52);
  EXPECT_LT(outcome.share, 0.5);
}

TEST(SequentialRuleTest, BernsteinsInequalityHoldsWithRoomToSpare) {
  const Outcome outcome =
      compare_with_all_factors(SequentialRule({.error = 0.01, .law = DecisionLaw::kBernstein}), 300);
  EXPECT_EQ(outcome.wrong, 0);
  EXPECT_LT(outcome.share, 1);
}

TEST(SequentialRuleTest, NoErrorIsAllFactors) {
  const Outcome outcome = compare_with_all_factors(SequentialRule({.error = 0}), 100);
  EXPECT_EQ(outcome.wrong, 0);
  EXPECT_NEAR(outcome.share, 1, 1e-9);
}

TEST(HardBoundRuleTest, DecidesAsAllFactorsDo) {
  const Outcome outcome = compare_with_all_factors(HardBoundRule(), 300);
  EXPECT_EQ(outcome.wrong, 0);
  EXPECT_LT(outcome.share, 1);
}

/// The largest differences come first, and bounds fall with them.
struct FallingBounds {
  std::size_t size() const { return 1000; }
  double difference(std::size_t j) const { return (j % 3 == 0 ? -1 : 1) * bound_of(j); }
  double bound() const { return bound_of(0); }
  double rest_bound(std::size_t j) const {
    double rest = 0;
    for (; j < size(); ++j) rest += bound_of(j);
    return rest;
  }
  static double bound_of(std::size_t j) { return 10.0 / static_cast<double>((j + 1) * (j + 1)); }
};

TEST(HardBoundRuleTest, BoundsOfEachFactorEndItEarlier) {
  const double total = total_difference(FallingBounds());
  for (const double gap : {-0.5, 0.5}) {
    FixedThreshold stream{.next = 0.25};
    const Decision decision = HardBoundRule().decide(FallingBounds(), gap - total - 0.25, stream);
    EXPECT_EQ(decision.accepted, gap > 0);
    EXPECT_LE(decision.factors, 64u);
  }
}

/// All factors against the proposal come first; the others can just make up for them, and they do.
struct LateAgreement {
  std::size_t size() const { return 400; }
  double difference(std::size_t j) const { return j < 200 ? -1 : 1; }
  double bound() const { return 1; }
};

TEST(HardBoundRuleTest, WaitsUntilTheRestCannotMatter) {
  FixedThreshold stream{.next = 0.5};
  EXPECT_TRUE(HardBoundRule().decide(LateAgreement(), 0, stream).accepted);
  EXPECT_FALSE(HardBoundRule().decide(LateAgreement(), -1, stream).accepted);
  EXPECT_LT(HardBoundRule().decide(LateAgreement(), -100, stream).factors, 400u);
}

}  // namespace
}  // namespace fovea::mcmc
