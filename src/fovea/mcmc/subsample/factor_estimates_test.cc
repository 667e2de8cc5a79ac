// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/factor_estimates.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "fovea/base/random.h"
#include "tests/support/enumerating_random.h"

namespace fovea::mcmc {
namespace {

/// A change with differences from a list; it records which were looked at.
struct ListedChange {
  std::vector<double> differences;
  mutable std::vector<double> seen = {};

  std::size_t size() const { return differences.size(); }
  double difference(std::size_t j) const {
    seen.push_back(differences[j]);
    return differences[j];
  }
};

std::vector<double> normals(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

double variance_of_mean(std::span<const double> drawn, std::size_t population) {
  double mean = 0, squares = 0;
  for (const double x : drawn) mean += x / static_cast<double>(drawn.size());
  for (const double x : drawn) squares += (x - mean) * (x - mean);
  const auto n = static_cast<double>(drawn.size()), all = static_cast<double>(population);
  return squares / (n - 1) / n * (all - n) / (all - 1);
}

TEST(UniformFractionTest, IsUnbiasedAndTakesItsShare) {
  const ListedChange change{{1, -3, 0.5, 7}};
  UniformFraction half(0.5);
  SumEstimate estimate;
  double mean = 0;
  testing::EnumeratingRandom().enumerate([&](auto& random) { estimate = half.estimate(change, random); },
                                         [&](double p) {
                                           EXPECT_EQ(estimate.factors, 2u);
                                           mean += p * estimate.sum;
                                         });
  EXPECT_NEAR(mean, 5.5, 1e-12);
}

TEST(UniformFractionTest, TakesOneFactorAtLeastAndNoneOfNone) {
  Random random(1);
  UniformFraction tiny(1e-9);
  EXPECT_EQ(tiny.estimate(ListedChange{{2, 2}}, random).factors, 1u);
  EXPECT_EQ(tiny.estimate(ListedChange{{2, 2}}, random).sum, 4);
  EXPECT_EQ(tiny.estimate(ListedChange{{}}, random).sum, 0);
}

class ConfidenceIntervalTest : public ::testing::TestWithParam<ConfidenceInterval::Options> {};

// The definition, recomputed from what was drawn: below the threshold at the end, and not one factor before.
TEST_P(ConfidenceIntervalTest, StopsAtTheFirstDrawBelowTheThreshold) {
  const ConfidenceInterval::Options& options = GetParam();
  const auto measure = [&](std::span<const double> drawn, std::size_t population) {
    const double variance = variance_of_mean(drawn, population);
    return options.measure == ConfidenceMeasure::kWidth ? 2 * options.z * std::sqrt(variance) : variance;
  };
  ConfidenceInterval rule(options);
  Random random(2);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const ListedChange change{normals(100, seed)};
    const SumEstimate estimate = rule.estimate(change, random);
    const std::span<const double> drawn = change.seen;
    ASSERT_EQ(estimate.factors, drawn.size());
    if (drawn.size() < 100) {
      EXPECT_LT(measure(drawn, 100), options.threshold);
    }
    if (drawn.size() > static_cast<std::size_t>(options.minimum)) {
      EXPECT_GE(measure(drawn.first(drawn.size() - 1), 100), options.threshold);
    }
    double mean = 0;
    for (const double x : drawn) mean += x / static_cast<double>(drawn.size());
    EXPECT_NEAR(estimate.sum, 100 * mean, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Measures, ConfidenceIntervalTest,
    ::testing::Values(ConfidenceInterval::Options{.measure = ConfidenceMeasure::kVariance, .threshold = 0.05},
                      ConfidenceInterval::Options{.measure = ConfidenceMeasure::kVariance, .threshold = 0.001},
                      ConfidenceInterval::Options{.measure = ConfidenceMeasure::kWidth, .threshold = 0.5},
                      ConfidenceInterval::Options{
                          .measure = ConfidenceMeasure::kWidth, .threshold = 1e9, .minimum = 2}));

TEST(ConfidenceIntervalTest, TakesAllFactorsWhereNothingLessWillDo) {
  const ListedChange change{normals(40, 3)};
  Random random(1);
  const SumEstimate estimate = ConfidenceInterval({.threshold = 0}).estimate(change, random);
  EXPECT_EQ(estimate.factors, 40u);
  EXPECT_NEAR(estimate.sum, total_difference(change), 1e-9);
}

TEST(ConfidenceIntervalTest, ABrokenConstraintIsFinal) {
  const double infinity = std::numeric_limits<double>::infinity();
  const ListedChange change{std::vector<double>(30, -infinity)};
  Random random(1);
  EXPECT_EQ(ConfidenceInterval({}).estimate(change, random).sum, -infinity);
  EXPECT_EQ(total_difference(change), -infinity);
}

}  // namespace
}  // namespace fovea::mcmc
