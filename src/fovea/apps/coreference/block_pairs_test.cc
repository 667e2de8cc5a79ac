// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/block_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace fovea {
namespace {

using ::testing::ElementsAre;

Table papers() {
  Table table("t.csv", {"name", "title"});
  const std::array<std::array<std::string_view, 2>, 6> rows = {{{"A. Smith", "deep sea fish"},
                                                                {"Ann Smith", "fish of the deep"},
                                                                {"A. Smith", "deep sea fish"},
                                                                {"A. Smith", ""},
                                                                {"Anne Smith", "mountain goats"},
                                                                {"", "mountain fish"}}};
  std::int64_t line = 1;
  for (const auto& row : rows) table.add_row(row, ++line);
  return table;
}

/// Level l of comparison c weighs 10^c l.
MatchWeights weights_of(std::span<const Comparison> comparisons) {
  MatchWeights weights{.prior_log_odds = -0.5};
  double unit = 1;
  for (const Comparison& comparison : comparisons) {
    weights.weights.emplace_back();
    for (std::size_t level = 0; level < comparison.levels().size(); ++level)
      weights.weights.back().push_back(unit * static_cast<double>(level));
    unit *= 10;
  }
  return weights;
}

TEST(BlockPairsTest, ScoresAreThoseOfTheLevels) {
  const Table table = papers();
  const auto comparisons =
      parse_comparisons("given(name):author_name, title:topic, title:words, name@size(title)", table);
  const MatchWeights weights = weights_of(comparisons);
  const std::vector<std::uint32_t> rows = {5, 3, 0, 1, 2, 4};
  const AttributePairs pairs = pairs_of_rows(comparisons, weights, rows);
  for (MentionId i = 0; i < rows.size(); ++i)
    for (MentionId j = 0; j < rows.size(); ++j) {
      if (i == j) continue;
      std::vector<Level> levels;
      for (const Comparison& comparison : comparisons) levels.push_back(comparison.compare(rows[i], rows[j]));
      EXPECT_DOUBLE_EQ(pairs.pair_score(i, j), weights.score(levels)) << rows[i] << " " << rows[j];
    }
}

TEST(BlockPairsTest, RowsOfEqualValuesAreOneRecord) {
  const Table table = papers();
  const auto comparisons = parse_comparisons("name, title", table);
  const DistinctRecords records = distinct_records(comparisons, std::vector<std::uint32_t>{3, 2, 1, 0});
  EXPECT_THAT(records.rows, ElementsAre(3, 2, 1));
  EXPECT_THAT(records.counts, ElementsAre(1, 2, 1));
  EXPECT_THAT(records.record, ElementsAre(0, 1, 2, 1));
}

}  // namespace
}  // namespace fovea
