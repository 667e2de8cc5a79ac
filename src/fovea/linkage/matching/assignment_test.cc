// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::linkage {
namespace {

double sum_over(const std::vector<ScoredPair>& pairs, double floor) {
  double sum = 0;
  for (const ScoredPair& pair : pairs) sum += double{pair.score} - floor;
  return sum;
}

/// The largest sum over all choices among pairs[at ..].
double best_sum(const std::vector<ScoredPair>& pairs, double floor, std::size_t at, std::set<std::uint32_t>& taken) {
  if (at == pairs.size()) return 0;
  double best = best_sum(pairs, floor, at + 1, taken);
  const RowPair rows = pairs[at].rows;
  if (taken.contains(rows.first) || taken.contains(rows.second)) return best;
  taken.insert({rows.first, rows.second});
  best = std::max(best, double{pairs[at].score} - floor + best_sum(pairs, floor, at + 1, taken));
  taken.erase(rows.first);
  taken.erase(rows.second);
  return best;
}

void expect_no_row_twice(const std::vector<ScoredPair>& pairs) {
  std::set<std::uint32_t> rows;
  for (const ScoredPair& pair : pairs) {
    EXPECT_TRUE(rows.insert(pair.rows.first).second);
    EXPECT_TRUE(rows.insert(pair.rows.second).second);
  }
}

/// The best pair first would take 5 and leave 1: together less than 4 and 4.
TEST(BestAssignment, LooksAtAllLinksTogether) {
  const std::vector<ScoredPair> pairs = {{{0, 10}, 4}, {{0, 11}, 5}, {{1, 11}, 4}, {{1, 10}, 1}};
  const std::vector<ScoredPair> best = best_assignment(pairs, 0);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].rows.second, 10u);
  EXPECT_EQ(best[1].rows.second, 11u);
  EXPECT_EQ(best[1].rows.first, 1u);
}

TEST(BestAssignment, IsTheBestOfAll) {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<ScoredPair> pairs;
    const double density = random.exponential();
    for (std::uint32_t l = 0; l < 4; ++l)
      for (std::uint32_t r = 10; r < 14; ++r)
        if (random.bernoulli(std::min(density, 1.)))
          pairs.push_back(
              {{l, r}, static_cast<float>(trial % 2 == 0 ? random.uniform_index(4) : 3 * random.exponential())});
    const double floor = trial % 3 == 0 ? -1 : 1.5;
    std::set<std::uint32_t> taken;
    const std::vector<ScoredPair> best = best_assignment(pairs, floor);
    expect_no_row_twice(best);
    EXPECT_NEAR(sum_over(best, floor), best_sum(pairs, floor, 0, taken), 1e-6) << trial;
    EXPECT_TRUE(std::ranges::all_of(best, [&](const ScoredPair& pair) { return double{pair.score} > floor; }));
  }
}

TEST(BestAssignment, IsAnAssignmentWhenItIsStopped) {
  Random random(3);
  std::vector<ScoredPair> pairs;
  for (std::uint32_t l = 0; l < 50; ++l)
    for (std::uint32_t i = 0; i < 5; ++i) {
      const RowPair rows{l, 100 + (7 * l + 11 * i) % 50};
      pairs.push_back({rows, static_cast<float>(1 + random.exponential())});
    }
  CancelToken cancel;
  cancel.cancel();
  const std::vector<ScoredPair> found = best_assignment(pairs, 0, {.cancel = &cancel});
  EXPECT_GT(found.size(), 25u);
  expect_no_row_twice(found);
  const float best = std::ranges::max(pairs, {}, &ScoredPair::score).score;
  EXPECT_TRUE(std::ranges::any_of(found, [&](const ScoredPair& pair) { return pair.score == best; }));
}

}  // namespace
}  // namespace fovea::linkage
