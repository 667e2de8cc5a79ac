// SPDX-License-Identifier: Apache-2.0
#include "tests/support/enumerating_random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "fovea/base/random.h"
#include "tests/support/statistics.h"

namespace fovea::testing {
namespace {

/// Draws of every kind, of which later ones depend on earlier ones; written once for both streams.
template <class Random>
std::string walk(Random& random) {
  static constexpr std::array<double, 4> kWeights = {0, 2, 0, 6};
  std::string path = random.bernoulli(0.25) ? "heads" : "tails";
  if (path == "tails") return path + std::to_string(random.uniform_index(3));
  return path + std::to_string(random.categorical(std::span<const double>(kWeights)));
}

std::map<std::string, double> enumerate_walks() {
  std::map<std::string, double> probabilities;
  std::string path;
  EnumeratingRandom().enumerate([&](EnumeratingRandom& random) { path = walk(random); },
                                [&](double p) { probabilities[path] += p; });
  return probabilities;
}

TEST(EnumeratingRandomTest, VisitsEveryPossiblePathOnceWithItsProbability) {
  const auto walks = enumerate_walks();
  EXPECT_EQ(walks.size(), 5u);
  for (const char* path : {"tails0", "tails1", "tails2"}) EXPECT_DOUBLE_EQ(walks.at(path), 0.25);
  EXPECT_DOUBLE_EQ(walks.at("heads1"), 0.0625);
  EXPECT_DOUBLE_EQ(walks.at("heads3"), 0.1875);
}

TEST(EnumeratingRandomTest, AgreesWithTheStreamItStandsInFor) {
  const auto walks = enumerate_walks();
  std::vector<double> probabilities;
  for (const auto& [path, p] : walks) probabilities.push_back(p);
  Random random(1);
  EXPECT_TRUE(draws_follow(probabilities, 20000, [&] {
    return static_cast<std::size_t>(std::distance(walks.begin(), walks.find(walk(random))));
  }));
}

TEST(EnumeratingRandomTest, ExponentialDrawsFallBetweenCutsWithTheirProbabilities) {
  std::map<int, double> cells;
  EnumeratingRandom random;
  random.set_exponential_cuts({0.5, 2});
  int cell = 0;
  random.enumerate(
      [&](EnumeratingRandom& r) {
        const double x = r.exponential();
        cell = (x > 0.5) + (x > 2);
      },
      [&](double p) { cells[cell] += p; });
  EXPECT_NEAR(cells[0], 1 - std::exp(-0.5), 1e-15);
  EXPECT_NEAR(cells[1], std::exp(-0.5) - std::exp(-2), 1e-15);
  EXPECT_NEAR(cells[2], std::exp(-2), 1e-15);
}

TEST(EnumeratingRandomTest, PoissonDrawsHaveTheirProbabilities) {
  double mean = 0, total = 0;
  std::uint64_t drawn = 0;
  EnumeratingRandom().enumerate([&](EnumeratingRandom& random) { drawn = random.poisson(1.5); },
                                [&](double p) {
                                  total += p;
                                  mean += p * static_cast<double>(drawn);
                                });
  EXPECT_NEAR(total, 1, 1e-14);
  EXPECT_NEAR(mean, 1.5, 1e-13);
}

TEST(EnumeratingRandomTest, CertainDrawsDoNotBranch) {
  int paths = 0;
  EnumeratingRandom().enumerate(
      [](EnumeratingRandom& random) {
        EXPECT_FALSE(random.bernoulli(0));
        EXPECT_TRUE(random.bernoulli(1));
        EXPECT_EQ(random.uniform_index(1), 0u);
      },
      [&](double p) {
        EXPECT_EQ(p, 1);
        ++paths;
      });
  EXPECT_EQ(paths, 1);
}

TEST(EnumeratingRandomTest, BodyWithoutDrawsRunsOnce) {
  double total = 0;
  EnumeratingRandom().enumerate([](EnumeratingRandom&) {}, [&](double p) { total += p; });
  EXPECT_EQ(total, 1);
}

}  // namespace
}  // namespace fovea::testing
