// SPDX-License-Identifier: Apache-2.0
#include "tests/support/statistics.h"

#include "fovea/base/random.h"

namespace fovea::testing {
namespace {

constexpr std::size_t kDraws = 20000;

// The 0.999 quantile of chi-square with 10 degrees of freedom, from any printed table.
TEST(StatisticsTest, ChiSquareThresholdAgreesWithTables) { EXPECT_NEAR(chi_square_threshold(10, 1e-3), 29.588, 1e-3); }

// Simulated under the null hypothesis at a rate where rejections are seen: 5 % of 2000 tests, binomial with standard
// deviation 9.7, within five of them; Kolmogorov-Smirnov's bound may only be conservative.
TEST(StatisticsTest, RejectsTrueHypothesesAtTheStatedRate) {
  Random random(1);
  int chi_square_rejections = 0, ks_rejections = 0;
  for (int test = 0; test < 2000; ++test) {
    std::vector<std::uint64_t> counts(5);
    std::vector<double> sample(200);
    for (int i = 0; i < 500; ++i) ++counts[random.uniform_index(5)];
    for (double& x : sample) x = random.threshold(1.0);
    chi_square_rejections += !counts_follow(counts, std::vector<double>(5, 0.2), 0.05);
    ks_rejections += !sample_follows(
        sample, [](double x) { return x; }, 0.05);
  }
  EXPECT_NEAR(chi_square_rejections, 100, 5 * 9.7);
  EXPECT_LE(ks_rejections, 100 + 5 * 9.7);
  EXPECT_GE(ks_rejections, 50);
}

TEST(StatisticsTest, CatchesADieThatIsThreePercentOff) {
  Random random(2);
  const std::vector<double> loaded = {0.53, 0.47};
  const auto draw = [&] { return random.categorical(std::span<const double>(loaded)); };
  EXPECT_TRUE(draws_follow(loaded, kDraws, draw));
  EXPECT_FALSE(draws_follow(std::vector<double>(2, 0.5), kDraws, draw));
}

TEST(StatisticsTest, CatchesADrawOfProbabilityZero) {
  EXPECT_FALSE(counts_follow(std::vector<std::uint64_t>{50, 50, 1}, std::vector<double>{0.5, 0.5, 0}));
  EXPECT_TRUE(counts_follow(std::vector<std::uint64_t>{50, 50, 0}, std::vector<double>{0.5, 0.5, 0}));
}

TEST(StatisticsTest, RefusesTestsWithoutPower) {
  EXPECT_FALSE(counts_follow(std::vector<std::uint64_t>{1, 1}, std::vector<double>{0.5, 0.5}));
  EXPECT_FALSE(counts_follow(std::vector<std::uint64_t>{9}, std::vector<double>{1}));
}

TEST(StatisticsTest, CatchesAShiftedNormal) {
  Random random(3);
  std::vector<double> sample(kDraws);
  for (double& x : sample) x = random.normal() + 0.1;
  const auto normal = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  EXPECT_FALSE(sample_follows(sample, normal));
  for (double& x : sample) x -= 0.1;
  EXPECT_TRUE(sample_follows(sample, normal));
}

TEST(StatisticsTest, CatchesAMeanThatIsATenthOff) {
  Random random(4);
  std::vector<double> sample(kDraws), other(kDraws);
  for (double& x : sample) x = random.normal() + .1;
  for (double& x : other) x = random.normal();
  EXPECT_TRUE(sample_has_mean(sample, .1));
  EXPECT_TRUE(sample_has_mean(other, 0));
  EXPECT_FALSE(sample_has_mean(sample, 0));
  EXPECT_FALSE(samples_have_one_mean(sample, other));
  for (double& x : sample) x -= .1;
  EXPECT_TRUE(samples_have_one_mean(sample, other));
  EXPECT_FALSE(sample_has_mean(sample, 0, .5, 0));  // nothing is allowed
  sample[0] = std::nan("");
  EXPECT_FALSE(sample_has_mean(sample, 0));
  EXPECT_FALSE(samples_have_one_mean(sample, other));
}

}  // namespace
}  // namespace fovea::testing
