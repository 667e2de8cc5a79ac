// SPDX-License-Identifier: Apache-2.0
#include "tests/support/enumerating_random.h"

#include <gtest/gtest.h>

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
