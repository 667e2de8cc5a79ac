// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/match_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

class MatchModelTest : public ::testing::Test {
 protected:
  MatchParameters parameters() const {
    MatchParameters parameters{.weights = {.prior_log_odds = -5, .weights = {}}, .equal_share = {.02, 0, 0}};
    parameters.weights.weights = {{0, -3, 4}, {0, -4, -2, -1, 1, 2, 3}, {.25, -1, .5}};
    return parameters;
  }

  const io::Table table_ = testing::table_of(
      {"id", "surname", "name", "city"},
      {{"1", "Smith", "Ann", "Ulm"}, {"2", "smith", "Anne", ""}, {"3", "Ng", "Ann", "Ulm"}, {"4", "Ng", "Bo", "Bonn"}});
  const std::vector<Comparison> comparisons_ = parse_comparisons("surname, name:jaro_winkler, city", table_);
  const MatchModel model_{comparisons_, parameters()};
};

TEST_F(MatchModelTest, ScoresAreSumsOfTerms) {
  const RowPair pair{0, 1};
  const auto terms = model_.terms(pair);
  EXPECT_EQ(terms[0].level, 2);
  EXPECT_EQ(terms[1].level, 5);
  EXPECT_EQ(terms[2].level, kMissingLevel);
  EXPECT_EQ(terms[2].weight, .25);
  EXPECT_DOUBLE_EQ(model_.score(pair), -5 + (4 + terms[0].adjustment) + 2 + .25);
  EXPECT_EQ(model_.prior_score(), -5);
}

/// Related pairs share the surname. Terms are what each comparison adds to those before it.
TEST_F(MatchModelTest, MixturesScoreRelatedPairsApart) {
  const LevelTable u = {{1, .98, .02}, {1, .9, .02, .02, .02, .02, .02}, {1, .9, .1}};
  const LevelTable m = {{1, .1, .9}, {1, .05, .05, .05, .05, .1, .7}, {1, .1, .9}};
  MatchParameters mixed = parameters();
  mixed.weights = {.prior_log_odds = 0, .weights = {{0, 0, 0}, {0, 0, 0, 0, 0, 0, 0}, {0, 0, 0}}};
  mixed.mixture = {.classes = {{.01, m, true}, {.02, {m[0], u[1], u[2]}, false}}, .u = u};
  const MatchModel model(comparisons_, mixed);
  EXPECT_FALSE(model.is_additive());
  const RowPair pair{0, 1};  // equal surnames, close names, a city missing
  const double adjustment = TermFrequencies(comparisons_[0].counts()).adjustment(comparisons_[0].value(0), .02);
  const double match = .01 * .9 * .1, related = .02 * .9 * .02, chance = .97 * .02 * .02 * std::exp(-adjustment);
  EXPECT_NEAR(model.score(pair), std::log(match / (related + chance)), 1e-9);
  double sum = model.prior_score();
  EXPECT_NEAR(sum, std::log(.01 / .99), 1e-9);
  for (const MatchModel::Term& term : model.terms(pair)) sum += term.sum();
  EXPECT_NEAR(sum, model.score(pair), 1e-9);
  EXPECT_EQ(model.terms(pair)[2].sum(), 0) << "missing";
  mixed.weights.weights[1][5] = 1.5;  // labels have corrected it
  EXPECT_NEAR(MatchModel(comparisons_, mixed).score(pair), model.score(pair) + 1.5, 1e-9);
}

TEST_F(MatchModelTest, RareValuesThatAgreeSayMore) {
  const TermFrequencies frequencies(comparisons_[0].counts());
  EXPECT_DOUBLE_EQ(model_.terms({2, 3})[0].adjustment, frequencies.adjustment(comparisons_[0].value(2), .02));
  EXPECT_GT(model_.terms({0, 1})[0].adjustment, model_.terms({2, 3})[0].adjustment)
      << "'Smith' and 'smith' have one row each";
  EXPECT_EQ(model_.terms({0, 2})[0].adjustment, 0) << "different values";
  EXPECT_EQ(model_.terms({0, 2})[2].adjustment, 0) << "a comparison without adjustment";
}

TEST_F(MatchModelTest, EqualRowsAreOneAtomIfTheyMatch) {
  const io::Table table = testing::table_of(
      {"surname", "name", "city"}, {{"Ng", "Bo", ""}, {"Ng", "Bo", ""}, {"Ng", "Bo", "Ulm"}, {"Ng", "Bo", ""}});
  const auto comparisons = parse_comparisons("surname, name:jaro_winkler, city", table);
  const MatchModel model(comparisons, parameters());
  const std::vector<std::uint32_t> rows = {1, 2, 3, 0};
  const EqualRows equal = model.merge_equal(rows, -10);
  EXPECT_EQ(equal.rows, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(equal.counts, (std::vector<std::uint32_t>{3, 1}));
  EXPECT_EQ(equal.group, (std::vector<std::uint32_t>{0, 1, 0, 0}));
  EXPECT_FALSE(model.merge_equal(rows, 100).is_any_several()) << "not even equal rows match";
}

TEST_F(MatchModelTest, AComponentHasTheSameScores) {
  const std::vector<std::uint32_t> rows = {3, 0, 1};
  const AttributePairs pairs = model_.pairs_of(rows);
  for (RecordId m = 0; m < rows.size(); ++m)
    for (RecordId n = 0; n < rows.size(); ++n)
      if (m != n) {
        EXPECT_NEAR(pairs.pair_score(m, n), model_.score({rows[m], rows[n]}), 1e-6) << m << ' ' << n;
      }
}

TEST(MatchModel, ManyValuesAreComparedByTheirWords) {
  Random random(1);
  std::vector<std::vector<std::string>> rows;
  for (int i = 0; i < 400; ++i) {
    std::string words;
    for (int w = 0; w < 3; ++w) words += fmt::format("w{} ", random.uniform_index(200));
    if (i % 7 == 0) words = rows.empty() ? "A w1" : " " + rows.back()[0];  // equal once it is normalised
    rows.push_back({i % 11 == 0 ? "" : words});
  }
  const io::Table table = testing::table_of({"title"}, rows);
  const auto comparisons = parse_comparisons("title:words", table);
  const MatchModel model(
      comparisons, {.weights = {.prior_log_odds = -1, .weights = {{.5, -1, 0, 1, 2, 3, 4}}}, .equal_share = {.01}});
  std::vector<std::uint32_t> all(400);
  std::iota(all.begin(), all.end(), 0u);
  const AttributePairs pairs = model.pairs_of(all, .25);
  EXPECT_EQ(pairs.sparse().size(), 1u);
  for (RecordId m = 0; m < 400; ++m)
    for (RecordId n = 0; n < m; ++n)
      ASSERT_NEAR(pairs.pair_score(m, n), model.score({n, m}) - .25, 1e-5) << m << ' ' << n;
}

TEST(ProbabilityOf, IsTheLogisticFunction) {
  EXPECT_EQ(probability_of(0), .5);
  EXPECT_NEAR(probability_of(std::log(9)), .9, 1e-15);
  EXPECT_EQ(probability_of(-1e4), 0);
}

}  // namespace
}  // namespace fovea::linkage
