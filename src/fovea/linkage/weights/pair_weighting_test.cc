// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/pair_weighting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/base/error.h"
#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

using Entities = std::vector<std::uint32_t>;
using Begin = std::vector<std::size_t>;

/// Blocks of these sizes, with records of entities 0, 1 and 2 in turn.
struct Example {
  explicit Example(const std::vector<std::size_t>& sizes) {
    for (const std::size_t size : sizes) {
      for (std::size_t i = 0; i < size; ++i) entities.push_back(static_cast<std::uint32_t>(i % 3));
      begin.push_back(entities.size());
    }
  }
  std::vector<LabelledPair> draw(std::uint32_t count, std::uint64_t seed = 1) const {
    Random random(seed);
    return draw_labelled_pairs({entities, begin}, count, random);
  }
  std::vector<std::size_t> pairs_by_block(const std::vector<LabelledPair>& pairs) const {
    std::vector<std::size_t> counts(begin.size() - 1);
    for (const LabelledPair& pair : pairs) {
      const auto block = [&](std::size_t place) { return std::ranges::upper_bound(begin, place) - begin.begin() - 1; };
      EXPECT_EQ(block(pair.first), block(pair.second));
      ++counts.at(static_cast<std::size_t>(block(pair.first)));
    }
    return counts;
  }
  Entities entities;
  Begin begin = {0};
};

TEST(PairWeighting, LabelsAndWeightsAreTheirDefinitions) {
  const Example example({7, 50, 2, 11});
  for (const LabelledPair& pair : example.draw(100)) {
    ASSERT_NE(pair.first, pair.second);
    const auto after = std::ranges::upper_bound(example.begin, pair.first);
    const auto first = example.entities.begin() + static_cast<std::ptrdiff_t>(*(after - 1));
    const auto last = example.entities.begin() + static_cast<std::ptrdiff_t>(*after);
    const auto size = [&](std::size_t place) { return std::count(first, last, example.entities[place]); };
    const double k = static_cast<double>(last - first);
    EXPECT_EQ(pair.is_match, example.entities[pair.first] == example.entities[pair.second]);
    EXPECT_NEAR(pair.weight, std::pow(size(pair.first) * size(pair.second) / (k * k), -.5), 1e-12);
  }
}

TEST(PairWeighting, BlocksHaveTheirShareBySize) {
  const Example example({100, 1, 300, 0, 550, 50});  // 1000 records in blocks of more than one
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto pairs = example.draw(333, seed);
    EXPECT_EQ(pairs.size(), 333u);
    const std::vector<std::size_t> counts = example.pairs_by_block(pairs);
    for (const auto& [block, mean] : std::map<std::size_t, double>{{0, 33.3}, {2, 99.9}, {4, 183.15}, {5, 16.65}})
      EXPECT_LT(std::abs(static_cast<double>(counts[block]) - mean), 1);
    EXPECT_EQ(counts[1] + counts[3], 0u);
  }
}

TEST(PairWeighting, BlocksWithFewPairsGiveEachOnce) {
  const auto pairs = Example({4, 3, 1}).draw(1000);
  std::set<std::pair<std::size_t, std::size_t>> distinct;
  for (const LabelledPair& pair : pairs) distinct.emplace(pair.first, pair.second);
  EXPECT_EQ(pairs.size(), 6u + 3u);
  EXPECT_EQ(distinct.size(), pairs.size());
}

TEST(PairWeighting, PairsAreUniformInTheirBlock) {
  const Example example({6, 6});
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    for (const LabelledPair& pair : example.draw(20, seed)) ++seen[std::minmax(pair.first, pair.second)];
  std::vector<std::uint64_t> counts;
  for (const auto& [pair, count] : seen) counts.push_back(count);
  ASSERT_EQ(counts.size(), 30u);
  EXPECT_TRUE(testing::counts_follow(counts, std::vector<double>(30, 1.0 / 30)));
}

TEST(PairWeighting, IsDeterministic) {
  const Example example({20, 30});
  const auto places = [&](std::uint64_t seed) {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (const LabelledPair& pair : example.draw(10, seed)) result.emplace_back(pair.first, pair.second);
    return result;
  };
  EXPECT_EQ(places(1), places(1));
  EXPECT_NE(places(1), places(2));
}

TEST(PairWeighting, NoPairsNoDraws) {
  EXPECT_TRUE(Example({}).draw(10).empty());
  EXPECT_TRUE(Example({1, 1, 0}).draw(10).empty());
  EXPECT_TRUE(Example({5}).draw(0).empty());
}

TEST(PairWeighting, MisuseIsABug) {
  Random random(1);
  const Entities entities(4);
  for (const Begin& bad : {Begin{}, Begin{1, 4}, Begin{0, 3}, Begin{0, 3, 2, 4}})
    EXPECT_THROW(draw_labelled_pairs({entities, bad}, 5, random), InternalError);
}

}  // namespace
}  // namespace fovea::linkage
