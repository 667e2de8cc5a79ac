// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/candidate_scoring.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

class CandidateScoringTest : public ::testing::Test {
 protected:
  /// Scores pairs of people that agree in one of these rules.
  ScoredCandidates score(const char* block, const fovea::Run& run) {
    candidates_.emplace(people_, parse_blocking_rules(block, people_), people_.row_count());
    return score_candidates(model_, *candidates_, 0, run);
  }

  static std::vector<std::pair<std::uint32_t, std::uint32_t>> ends(const std::vector<ScoredPair>& pairs) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (const ScoredPair& pair : pairs) ends.emplace_back(pair.rows.first, pair.rows.second);
    return ends;
  }

  /// People with a column in which they all agree.
  static io::Table people() {
    const io::Table people = testing::made_up_people(5000, .1, Random(1));
    std::vector<std::string> columns(people.columns().begin(), people.columns().end());
    columns.emplace_back("all");
    io::Table more("people", columns);
    for (std::size_t row = 0; row < people.row_count(); ++row) {
      std::vector<std::string_view> cells;
      for (std::size_t c = 0; c < people.column_count(); ++c) cells.push_back(people.cell(row, c));
      cells.emplace_back("x");
      more.add_row(cells, row + 2);
    }
    return more;
  }

  const io::Table people_ = people();
  const std::vector<Comparison> comparisons_ = parse_comparisons("name, surname, born, city", people_);
  const MatchModel model_{comparisons_,
                          {.weights = {.prior_log_odds = -9, .weights = {4, std::vector<double>{0, -1.5, 4}}}}};
  std::optional<CandidatePairs> candidates_;
};

TEST_F(CandidateScoringTest, KeepsWhatIsAboveTheFloorAtAnyNumberOfThreads) {
  const auto one = score("surname, city", {.threads = 1}), two = score("surname, city", {.threads = 2});
  EXPECT_EQ(one.share, 1);
  EXPECT_EQ(ends(one.pairs), ends(two.pairs));
  std::size_t expected = 0;
  for (const auto& chunk : candidates_->chunks())
    candidates_->for_each(chunk, [&](RowPair pair, bool is_first) { expected += is_first && model_.score(pair) > 0; });
  EXPECT_GT(expected, 500u);
  EXPECT_EQ(one.pairs.size(), expected);
  for (const ScoredPair& pair : one.pairs) EXPECT_FLOAT_EQ(pair.score, static_cast<float>(model_.score(pair.rows)));
}

TEST_F(CandidateScoringTest, EndsWithWhatItHas) {
  CancelToken cancel;
  cancel.cancel();
  const ScoredCandidates some = score("surname, city", {.stop = {.cancel = &cancel}});
  EXPECT_LT(some.share, .1);
  const ScoredCandidates all = score("surname, city", {});
  EXPECT_LT(some.pairs.size(), all.pairs.size());
}

/// Few pairs are visited in another order, many begin with those that share a rare value: all are found once.
TEST_F(CandidateScoringTest, ALimitThatIsNotReachedChangesNothing) {
  const fovea::Run relaxed{.stop = Stop{}.within(1000)};
  EXPECT_EQ(ends(score("surname, city", relaxed).pairs), ends(score("surname, city", {}).pairs));
  ASSERT_TRUE(candidates_->pair_count(0) < 10'000'000);
  const auto limited = ends(score("all, surname", relaxed).pairs), whole = ends(score("all, surname", {}).pairs);
  ASSERT_TRUE(candidates_->pair_count(0) > 10'000'000);
  EXPECT_EQ(std::set(limited.begin(), limited.end()).size(), limited.size()) << "none twice";
  EXPECT_EQ(std::set(limited.begin(), limited.end()), std::set(whole.begin(), whole.end()));
}

}  // namespace
}  // namespace fovea::linkage
