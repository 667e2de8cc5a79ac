// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/link_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "fovea/base/error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

using Found = std::map<std::pair<std::uint32_t, std::uint32_t>, float>;

class LinkSearchTest : public ::testing::Test {
 protected:
  LinkSearchTest() { std::iota(rows_.begin(), rows_.end(), 0U); }

  void prepare(const char* compare, MatchParameters parameters) {
    comparisons_ = parse_comparisons(compare, table_);
    model_.emplace(comparisons_, std::move(parameters));
  }

  std::optional<Found> find(
      double floor, const std::function<bool(RowPair)>& is_wanted = [](RowPair) { return true; },
      const Stop& stop = {}) const {
    const auto pairs = find_links(*model_, rows_, floor, is_wanted, stop);
    if (!pairs) return std::nullopt;
    Found found;
    for (const ScoredPair& pair : *pairs)
      EXPECT_TRUE(found.emplace(std::pair(pair.rows.first, pair.rows.second), pair.score).second) << "twice";
    return found;
  }

  Found by_brute_force(double floor) const {
    Found found;
    for (std::uint32_t j = 0; j < rows_.size(); ++j)
      for (std::uint32_t i = 0; i < j; ++i)
        if (const auto score = static_cast<float>(model_->score({i, j})); double{score} > floor) found[{i, j}] = score;
    return found;
  }

  const io::Table table_ = testing::made_up_people(400, .1, Random(2));
  std::vector<std::uint32_t> rows_ = std::vector<std::uint32_t>(table_.row_count());
  std::vector<Comparison> comparisons_;
  std::optional<MatchModel> model_;
};

TEST_F(LinkSearchTest, FindsAllPairsAboveTheFloor) {
  MatchParameters parameters{.weights = {.prior_log_odds = -6, .weights = {}}};
  parameters.weights.weights = {{0, -2, 4}, {.5, -1, 3}, {0, -2, -1, 1, 2.5}, {0, -.5, 1}};
  prepare("name, surname, born:edits, city", parameters);
  for (const double floor : {0., 1., 3.}) {
    const auto found = find(floor);
    ASSERT_TRUE(found);
    EXPECT_GT(found->size(), 20u);
    EXPECT_EQ(*found, by_brute_force(floor)) << floor;
  }
}

/// Two classes of matches, and related pairs, which share their surnames and cities.
TEST_F(LinkSearchTest, FindsAllPairsAboveTheFloorByAMixture) {
  const auto rows = [](double a, double b, double c) {
    return LevelTable{{1, 1 - a, a}, {1, 1 - b, b}, {1, (1 - c) / 3, (1 - c) / 3, (1 - c) / 3, c}, {1, .9, .1}};
  };
  MatchParameters parameters{.weights = {.prior_log_odds = 0, .weights = {}}, .equal_share = {.01, .01, 0, 0}};
  parameters.weights.weights = {{0, 0, 0}, {0, 0, 0}, {0, 0, .5, 0, 0}, {0, 0, 0}};
  PairClass related{.share = 1e-3, .levels = rows(.01, .95, .02), .is_match = false};
  related.levels[3] = {1, .05, .95};
  parameters.mixture = {
      .classes = {{.share = 1e-3, .levels = rows(.8, .9, .8)}, {.share = 5e-4, .levels = rows(.9, .02, .9)}, related},
      .u = rows(.01, .01, .02)};
  prepare("name, surname, born:edits, city", parameters);
  ASSERT_FALSE(model_->is_additive());
  for (const double floor : {0., 1., 3.}) {
    const auto found = find(floor);
    ASSERT_TRUE(found);
    EXPECT_GT(found->size(), 20u);
    EXPECT_EQ(*found, by_brute_force(floor)) << floor;
  }
}

TEST_F(LinkSearchTest, KnowsThatRareValuesAddMore) {
  MatchParameters parameters{.weights = {.prior_log_odds = -4, .weights = {}}, .equal_share = {.05, .05, 0}};
  parameters.weights.weights = {{0, -2, 1}, {0, -2, 1}, {0, -2, 1.5}};
  prepare("name, surname, born", parameters);
  const auto found = find(0);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, by_brute_force(0));
}

TEST_F(LinkSearchTest, SaysWhereAllPairsMustBeScored) {
  MatchParameters parameters{.weights = {.prior_log_odds = 1, .weights = {}}};
  parameters.weights.weights = {{0, -.5, 1}};
  prepare("city", parameters);
  EXPECT_FALSE(find(0)) << "pairs that differ score more than the floor";
  EXPECT_TRUE(find(1.5));
}

TEST_F(LinkSearchTest, LeavesOutWhatIsNotWanted) {
  MatchParameters parameters{.weights = {.prior_log_odds = -1, .weights = {}}};
  parameters.weights.weights = {{0, -2, 4}};
  prepare("surname", parameters);
  const auto found = find(0, [](RowPair pair) { return pair.second % 2 == 0; });
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->empty());
  for (const auto& [pair, score] : *found) EXPECT_EQ(pair.second % 2, 0u);
}

TEST_F(LinkSearchTest, CanBeCancelled) {
  MatchParameters parameters{.weights = {.prior_log_odds = -6, .weights = {}}};
  parameters.weights.weights = {{0, -2, -1, 3, 4}, {0, -1, 3}};
  prepare("name:edits, surname", parameters);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_THROW(find(0, [](RowPair) { return true; }, {.cancel = &cancel}), CancelledError);
}

}  // namespace
}  // namespace fovea::linkage
