// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/metrics/paired_bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/enumerating_random.h"

namespace fovea::tagging {
namespace {

using Sentences = std::vector<SentenceCounts>;

// Sentences of one token: right in `first`, right in `second`, in these numbers.
std::pair<Sentences, Sentences> one_token_sentences(int both, int only_first, int only_second) {
  std::pair<Sentences, Sentences> taggings;
  const auto add = [&](int count, std::uint32_t a, std::uint32_t b) {
    for (int i = 0; i < count; ++i) {
      taggings.first.push_back({1, a, 1, 1, a});
      taggings.second.push_back({1, b, 1, 1, b});
    }
  };
  add(both, 1, 1), add(only_first, 1, 0), add(only_second, 0, 1);
  return taggings;
}

TEST(PairedBootstrapTest, SumOverAllResamplingsIsTheObservedAccuracyDifference) {
  const Sentences first = {{4, 1}, {4, 2}, {4, 4}}, second = {{4, 3}, {4, 2}, {4, 3}};
  double mean = 0, difference = 0, total = 0;
  int paths = 0;
  testing::EnumeratingRandom random;
  std::vector<std::uint32_t> drawn;
  random.enumerate(
      [&](auto& r) { difference = resampled_difference(first, second, TaggingScore::kAccuracy, r, drawn); },
      [&](double p) { mean += p * difference, total += p, ++paths; });
  EXPECT_EQ(paths, 27);
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_NEAR(mean, (3 + 2 + 3 - 1 - 2 - 4) / 12.0, 1e-12);
}

TEST(PairedBootstrapTest, IdenticalTaggingsDifferByNothing) {
  const auto [first, second] = one_token_sentences(5, 2, 3);
  const auto result = paired_bootstrap(first, first, TaggingScore::kF1, {}, Random(1));
  EXPECT_EQ(result.difference, 0);
  EXPECT_EQ(result.lower, 0);
  EXPECT_EQ(result.upper, 0);
}

TEST(PairedBootstrapTest, BothScoresAreTheirOwn) {
  const Sentences first = {{10, 9, 2, 2, 1}}, second = {{10, 8, 2, 2, 2}};
  const auto f1 = paired_bootstrap(first, second, TaggingScore::kF1, {}, Random(1));
  EXPECT_DOUBLE_EQ(f1.first, 0.5);
  EXPECT_DOUBLE_EQ(f1.second, 1);
  const auto accuracy = paired_bootstrap(first, second, TaggingScore::kAccuracy, {}, Random(1));
  EXPECT_NEAR(accuracy.difference, -0.1, 1e-15);
}

// The difference of n one-token sentences is a mean of n draws from {-1, 0, 1}; by the central limit theorem the
// interval's ends lie at the mean -+ 1.96 deviations. The bootstrap quantile itself has a standard error of
// sqrt(.025 * .975 / replicates) / density(1.96) = .00156 / .0584 deviations = .0267; five of these (false failure
// below 1e-6 for both ends), plus .06 for the lattice of step 1 / n (half a step is .035 deviations).
TEST(PairedBootstrapTest, IntervalIsTheNormalOneForManySentences) {
  const int n = 1000;
  const auto [first, second] = one_token_sentences(800, 80, 120);
  const auto result = paired_bootstrap(first, second, TaggingScore::kAccuracy, {}, Random(7));
  const double mean = 0.04, deviation = std::sqrt((0.2 - mean * mean) / n);
  EXPECT_NEAR(result.lower, mean - 1.96 * deviation, (5 * 0.0267 + 0.06) * deviation);
  EXPECT_NEAR(result.upper, mean + 1.96 * deviation, (5 * 0.0267 + 0.06) * deviation);
}

TEST(PairedBootstrapTest, DependsOnTheSeedButNotOnThreads) {
  const auto [first, second] = one_token_sentences(50, 9, 13);
  const auto run = [&, a = first, b = second](std::uint64_t seed, int threads) {
    return paired_bootstrap(a, b, TaggingScore::kF1, {.replicates = 501}, Random(seed), threads).json();
  };
  EXPECT_EQ(run(1, 1), run(1, 4));
  EXPECT_NE(run(1, 1), run(2, 1));
}

TEST(PairedBootstrapTest, NoSentencesAndBadOptions) {
  EXPECT_EQ(paired_bootstrap({}, {}, TaggingScore::kF1, {}, Random(1)).upper, 0);
  const Sentences one = {{1, 1}};
  EXPECT_THROW(paired_bootstrap(one, one, TaggingScore::kF1, {.replicates = 1}, Random(1)), UsageError);
  EXPECT_THROW(paired_bootstrap(one, {}, TaggingScore::kF1, {}, Random(1)), InternalError);
}

TEST(PairedBootstrapTest, BriefIsInPoints) {
  const PairedDifference d{
      .difference = 0.0031, .lower = -0.0005, .upper = 0.0068, .confidence = 0.95, .replicates = 1000};
  EXPECT_EQ(d.brief(), "difference +0.31 [-0.05, +0.68] (95 % interval, 1000 resamplings of the sentences)");
}

}  // namespace
}  // namespace fovea::tagging
