// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <vector>

#include "tests/support/enumerating_random.h"
#include "tests/support/statistics.h"

namespace fovea {
namespace {

using testing::draws_follow;
using testing::sample_follows;

constexpr std::size_t kDraws = 100000;

TEST(RandomTest, ChildDependsOnSeedAndPathOnly) {
  Random a(7), b(7);
  a.normal();
  EXPECT_EQ(a.child("chain", 3).uniform_index(1u << 30), b.child("chain", 3).uniform_index(1u << 30));
  EXPECT_NE(a.child("chain", 3).uniform_index(1u << 30), b.child("chain", 4).uniform_index(1u << 30));
  EXPECT_NE(a.child("chain", 3).uniform_index(1u << 30), b.child("site", 3).uniform_index(1u << 30));
}

TEST(RandomTest, BernoulliHasItsProbability) {
  Random random(1);
  for (double p : {0.001, 0.3, 0.5, 0.99})
    EXPECT_TRUE(draws_follow(std::vector{1 - p, p}, kDraws, [&] { return random.bernoulli(p) ? 1u : 0u; })) << p;
}

TEST(RandomTest, BernoulliLogHasItsProbability) {
  Random random(1);
  for (double p : {0.001, 0.3, 0.5, 0.99})
    EXPECT_TRUE(draws_follow(std::vector{1 - p, p}, kDraws, [&] {
      return random.bernoulli_log(std::log(p)) ? 1u : 0u;
    })) << p;
}

TEST(RandomTest, BernoulliLogDrawsAsBernoulliDoes) {
  Random a(4), b(4);
  for (int i = 0; i < 10000; ++i) {
    const double log_p = -0.001 * i;
    EXPECT_EQ(a.bernoulli_log(log_p), b.bernoulli(std::exp(log_p))) << log_p;
  }
}

TEST(RandomTest, CertainEventsAreCertain) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(random.bernoulli(0));
    EXPECT_TRUE(random.bernoulli(1));
    EXPECT_FALSE(random.bernoulli_log(-std::numeric_limits<double>::infinity()));
    EXPECT_TRUE(random.bernoulli_log(0));
    EXPECT_EQ(random.uniform_index(1), 0u);
  }
}

TEST(RandomTest, UniformIndexIsUniform) {
  Random random(2);
  for (std::uint32_t n : {2u, 3u, 7u, 49u})
    EXPECT_TRUE(draws_follow(std::vector<double>(n, 1.0 / n), kDraws, [&] { return random.uniform_index(n); })) << n;
}

TEST(RandomTest, UniformIndexOfManyIsUniform) {
  Random random(2);
  constexpr std::uint32_t kMany = 3u << 30;  // the high half of a product would be a multiple of 3 every other time
  EXPECT_TRUE(draws_follow(std::vector<double>(3, 1.0 / 3), kDraws, [&] { return random.uniform_index(kMany) % 3; }));
}

template <class Weight>
void expect_categorical_follows_its_weights() {
  Random random(3);
  const std::vector<Weight> weights = {0, 1, 0, 5, Weight(0.25), 3, 0};
  std::vector<double> probabilities;
  for (Weight w : weights) probabilities.push_back(static_cast<double>(w) / 9.25);
  EXPECT_TRUE(
      draws_follow(probabilities, kDraws, [&] { return random.categorical(std::span<const Weight>(weights)); }));
}

TEST(RandomTest, CategoricalFollowsItsWeightsInFloat) { expect_categorical_follows_its_weights<float>(); }
TEST(RandomTest, CategoricalFollowsItsWeightsInDouble) { expect_categorical_follows_its_weights<double>(); }

TEST(RandomTest, NormalHasItsDistribution) {
  Random random(4);
  std::vector<double> sample(kDraws);
  for (double& x : sample) x = random.normal();
  EXPECT_TRUE(sample_follows(sample, [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }));
}

TEST(RandomTest, ExponentialHasItsDistribution) {
  Random random(5);
  std::vector<double> sample(kDraws);
  for (double& x : sample) x = random.exponential();
  EXPECT_TRUE(sample_follows(sample, [](double x) { return x < 0 ? 0 : -std::expm1(-x); }));
}

TEST(RandomTest, PoissonHasItsDistribution) {
  constexpr double kMean = 2.5;
  std::vector<double> probabilities = {std::exp(-kMean)};
  for (int k = 1; k < 10; ++k) probabilities.push_back(probabilities.back() * kMean / k);
  probabilities.push_back(1 - std::accumulate(probabilities.begin(), probabilities.end(), 0.0));  // ten or more
  Random random(8);
  EXPECT_TRUE(draws_follow(probabilities, kDraws, [&] { return std::min<std::uint64_t>(random.poisson(kMean), 10); }));
  EXPECT_EQ(random.poisson(0), 0u);
}

TEST(RandomTest, ThresholdIsUniformBelowTheTotal) {
  Random random(6);
  std::vector<double> sample(kDraws);
  for (double& x : sample) x = random.threshold(2.5f);
  EXPECT_TRUE(sample_follows(sample, [](double x) { return x / 2.5; }));
  EXPECT_GE(*std::min_element(sample.begin(), sample.end()), 0);
  EXPECT_LT(*std::max_element(sample.begin(), sample.end()), 2.5);
}

// Children of one parent must be independent of each other: the pair of two siblings' first draws is uniform.
TEST(RandomTest, SiblingsAreIndependent) {
  const Random parent(7);
  std::uint64_t index = 0;
  EXPECT_TRUE(draws_follow(std::vector<double>(64, 1.0 / 64), kDraws, [&] {
    const std::uint32_t first = parent.child("chain", index++).uniform_index(8);
    return 8 * first + parent.child("chain", index++).uniform_index(8);
  }));
}

}  // namespace

namespace {

TEST(ShuffleTest, EveryOrderIsEquallyLikely) {
  std::map<std::array<int, 4>, double> orders;
  std::array<int, 4> values;
  testing::EnumeratingRandom().enumerate(
      [&](auto& random) {
        values = {1, 2, 3, 4};
        shuffle(std::span(values), random);
      },
      [&](double p) { orders[values] += p; });
  EXPECT_EQ(orders.size(), 24u);
  for (const auto& [order, p] : orders) EXPECT_NEAR(p, 1.0 / 24, 1e-15);
}

}  // namespace

}  // namespace fovea
