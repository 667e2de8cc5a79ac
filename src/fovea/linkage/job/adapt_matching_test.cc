// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/adapt_matching.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "fovea/linkage/job/dedupe.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

constexpr const char* kCompare = "surname:edits, city, name:edits, born:edits";
constexpr const char* kBlock = "surname, name, born";

/// Made-up people, whose years of birth are missing if has_born is false.
io::Table people(int count, bool has_born, std::uint64_t seed) {
  const io::Table all = testing::made_up_people(count, .15, Random(seed));
  io::Table table("people", all.columns());
  std::vector<std::string_view> cells(all.column_count());
  for (std::size_t row = 0; row < all.row_count(); ++row) {
    for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = all.cell(row, c);
    if (!has_born) cells[all.column("born")] = "";
    table.add_row(cells, static_cast<std::int64_t>(row + 1));
  }
  return table;
}

DedupeJob job() {
  DedupeJob job;
  job.matching.matching = {.compare = kCompare, .block = kBlock};
  job.options.gold = "person";
  return job;
}

DedupeJob with_model(const std::string& model, bool adapt) {
  DedupeJob job;
  job.matching.model_json = model;
  job.matching.model.adapt = adapt;
  job.matching.model.statistics = {"table"};
  job.options.gold = "person";
  return job;
}

TEST(AdaptMatching, LearnsWhatTheModelKnowsNothingAbout) {
  DedupeJob little = job();
  little.matching.matching.compare = "surname:edits, city, born:edits";
  const std::string model = dedupe(people(600, false, 1), little).model;
  const io::Table other = people(600, true, 2);
  std::string notes;
  const fovea::Run run{.note = [&](const std::string& text) { notes += text + "\n"; }};
  const DedupeResult as_it_is = dedupe(other, with_model(model, false)),
                     adapted = dedupe(other, with_model(model, true), run);
  EXPECT_THAT(notes, HasSubstr("the model is adapted: born:edits learned from"));
  EXPECT_GT(adapted.metrics->pairs.f1(), as_it_is.metrics->pairs.f1());
  const auto weights_of = [](const DedupeResult& result) {
    return parse_match_model(result.model, "model").parameters.weights.weights;
  };
  const LevelTable before = weights_of(as_it_is), after = weights_of(adapted);
  for (const std::size_t c : {0, 1}) EXPECT_EQ(after[c], before[c]) << "what it knows stays";
  EXPECT_NEAR(before[2].back() - before[2][1], 0, 1e-6);
  // Years: 85 % right in each of two records, against one of 70 by chance.
  EXPECT_NEAR(after[2].back(), std::log(.72 * 70), .8);
  EXPECT_LT(after[2][1], -1);
}

TEST(AdaptMatching, SharesOfMatchesFollowTheNumberOfRecords) {
  const std::string model = dedupe(people(300, true, 1), job()).model;
  const io::Table large = people(6000, true, 2);
  const RecordMatching matching(large, {.compare = kCompare, .block = kBlock});
  const MatchModel known(matching.comparisons(), parse_match_model(model, "model").parameters);
  const AdaptedMatching adapted = adapt_matching(known, matching.rules(), matching.candidates(), {});
  // Half of all people have two records.
  const double rows = static_cast<double>(large.row_count()), share = 3000 / (rows * (rows - 1) / 2);
  EXPECT_GT(adapted.share_before, 5 * share);
  EXPECT_NEAR(std::log(adapted.share_after / share), 0, .35);
  EXPECT_TRUE(adapted.learned.empty());
  EXPECT_THAT(adapted.brief(), HasSubstr("share of matches among all pairs"));
}

/// The same for a model with classes of related pairs.
TEST(AdaptMatching, SharesOfAllClassesAreEstimated) {
  const io::Table table = people(2000, true, 3);
  const RecordMatching matching(table, {.compare = kCompare, .block = kBlock});
  MatchParameters parameters{.weights = {.prior_log_odds = 0, .weights = {}}};
  const std::vector<std::size_t> sizes = [&] {
    std::vector<std::size_t> counts;
    for (const Comparison& comparison : matching.comparisons()) counts.push_back(comparison.levels().size());
    return counts;
  }();
  const auto table_of = [&](double equal) {  // levels other than equal are alike
    LevelTable levels;
    for (const std::size_t size : sizes) {
      levels.emplace_back(size, (1 - equal) / static_cast<double>(size - 2));
      levels.back().front() = 1;
      levels.back().back() = equal;
    }
    return levels;
  };
  PairClass related{.share = 1e-3, .levels = table_of(.02), .is_match = false};
  related.levels[1] = table_of(.9)[1];  // one surname, nothing else
  parameters.mixture = {.classes = {{.share = .1, .levels = table_of(.72)}, related}, .u = table_of(.02)};
  for (const std::size_t size : sizes) parameters.weights.weights.emplace_back(size);
  const MatchModel model(matching.comparisons(), parameters);
  ASSERT_FALSE(model.is_additive());
  const AdaptedMatching adapted = adapt_matching(model, matching.rules(), matching.candidates(), {});
  const double rows = static_cast<double>(table.row_count()), share = 1000 / (rows * (rows - 1) / 2);
  EXPECT_NEAR(std::log(adapted.share_after / share), 0, std::log(2)) << "from .1; the levels are rough";
}

}  // namespace
}  // namespace fovea::linkage
