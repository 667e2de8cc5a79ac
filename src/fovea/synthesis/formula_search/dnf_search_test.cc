// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/dnf_search.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::synthesis {
namespace {

using Row = ExampleSet::Row;

/// Rows with entries in -2 .. 2, labelled by [x1 != 0] or [x2 = x3], the paper's example.
ExampleSet paper_rows(std::size_t count, Random random = Random(1)) {
  ExampleSet examples(3);
  Row row(3);
  while (examples.size() < count) {
    for (std::int64_t& x : row) x = static_cast<std::int64_t>(random.uniform_index(5)) - 2;
    if (row[0] != 0 || row[1] == row[2]) examples.add_good(row);
    else examples.add_bad(row);
  }
  return examples;
}

DnfSearchOptions staged(SearchStages stages, std::uint64_t seed = 1) {
  DnfSearchOptions options;
  options.stages = stages;
  options.seed = seed;
  return options;
}

constexpr SearchStages kStages[] = {SearchStages::kNoRestarts, SearchStages::kRestarts, SearchStages::kSimplifiedFirst,
                                    SearchStages::kPortfolio};

TEST(DnfSearchTest, FindsThePapersExample) {
  const ExampleSet all = paper_rows(125);  // every row there is
  for (const SearchStages stages : kStages)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      DnfSearch search({.variables = 3}, staged(stages, seed));
      const std::optional<Dnf> formula = search.find(all, {.transitions = 2e6});
      ASSERT_TRUE(formula) << word_of(stages) << ", seed " << seed;
      EXPECT_EQ(all.errors(*formula), 0u);
      EXPECT_GT(search.steps(), 0u);
    }
}

TEST(DnfSearchTest, FindsItAsOneEquationAndItsOpposite) {
  const ExampleSet all = paper_rows(125);
  DnfSearchOptions options = staged(SearchStages::kSimplifiedFirst);
  options.terms = 2;
  options.atoms = 1;
  DnfSearch search({.variables = 3, .coefficient_range = 0, .bounds = {0}, .octagons = true, .equations = true},
                   options);
  const std::optional<Dnf> formula = search.find(all, {.transitions = 2e6});
  ASSERT_TRUE(formula);
  const std::string text = formula->text(std::vector<std::string>{"x1", "x2", "x3"});
  EXPECT_TRUE(text == "x1 != 0 or x2 = x3" || text == "x2 = x3 or x1 != 0") << text;
}

TEST(DnfSearchTest, GoesOnWhenExamplesAreAdded) {
  for (const SearchStages stages : kStages) {
    const ExampleSet all = paper_rows(125);
    ExampleSet examples(3);
    DnfSearch search({.variables = 3}, staged(stages));
    std::uint64_t rounds = 0;
    for (std::optional<Dnf> formula; rounds < 200; ++rounds) {  // the counterexample loop
      formula = search.find(examples, {.transitions = 2e6});
      ASSERT_TRUE(formula) << word_of(stages);
      ASSERT_EQ(examples.errors(*formula), 0u) << word_of(stages);
      std::size_t wrong = 0;
      while (wrong < all.size() && !all.errs(*formula, wrong)) ++wrong;
      if (wrong == all.size()) break;
      if (all.kind(wrong) == ExampleKind::kGood) examples.add_good(all.row(wrong));
      else examples.add_bad(all.row(wrong));
    }
    EXPECT_LT(rounds, 125u) << word_of(stages);
    EXPECT_GT(rounds, 3u) << word_of(stages);
  }
}

TEST(DnfSearchTest, ImplicationsAreHeld) {
  ExampleSet examples(1);
  examples.add_good(Row{0});
  for (std::int64_t x = 0; x < 20; ++x) examples.add_implication(Row{x}, Row{x + 1});
  examples.add_bad(Row{-1});
  examples.add_bad(Row{25});
  AtomChoice choice = {.variables = 1, .bounds = {}};
  for (std::int64_t b = -30; b <= 30; ++b) choice.bounds.push_back(b);
  DnfSearch search(choice, staged(SearchStages::kSimplifiedFirst));
  const std::optional<Dnf> formula = search.find(examples, {.transitions = 5e6});
  ASSERT_TRUE(formula);
  for (std::int64_t x = 0; x <= 20; ++x) EXPECT_TRUE(formula->holds(Row{x}));
  EXPECT_FALSE(formula->holds(Row{-1}));
  EXPECT_FALSE(formula->holds(Row{25}));
}

TEST(DnfSearchTest, TheSameSeedFindsTheSameFormula) {
  const ExampleSet examples = paper_rows(60);
  for (const SearchStages stages : kStages) {
    DnfSearch first({.variables = 3, .octagons = true}, staged(stages, 7));
    DnfSearch second({.variables = 3, .octagons = true}, staged(stages, 7));
    EXPECT_EQ(first.find(examples, {.transitions = 2e6}), second.find(examples, {.transitions = 2e6}));
    EXPECT_EQ(first.steps(), second.steps());
    EXPECT_EQ(first.restarts(), second.restarts());
  }
}

/// Rows that no conjunction of two atoms can tell apart.
ExampleSet parity_rows() {
  ExampleSet examples(2);
  for (std::int64_t x = 0; x < 4; ++x)
    for (std::int64_t y = 0; y < 4; ++y) {
      if ((x + y) % 2 == 0) examples.add_good(Row{x, y});
      else examples.add_bad(Row{x, y});
    }
  return examples;
}

TEST(DnfSearchTest, EndsWithTheBudgetAndTheBestSoFar) {
  const ExampleSet examples = parity_rows();
  for (const SearchStages stages : kStages) {
    DnfSearchOptions options = staged(stages);
    options.terms = 1;
    options.atoms = 2;
    DnfSearch search({.variables = 2}, options);
    EXPECT_EQ(search.best(), Dnf{});
    EXPECT_FALSE(search.find(examples, {.transitions = 30000}));
    EXPECT_EQ(search.steps(), 30000u) << word_of(stages);
    EXPECT_LT(examples.errors(search.best()), 8u);
    EXPECT_GT(examples.errors(search.best()), 0u);
    EXPECT_EQ(search.restarts() == 0, stages == SearchStages::kNoRestarts);
  }
}

TEST(DnfSearchTest, EndsWhenItIsAskedTo) {
  CancelToken cancel;
  cancel.cancel();
  DnfSearch search({.variables = 2}, staged(SearchStages::kSimplifiedFirst));
  EXPECT_FALSE(search.find(parity_rows(), {}, {.cancel = &cancel}));
}

TEST(DnfSearchTest, NothingIsFoundForContradictions) {
  ExampleSet examples(1);
  examples.add_good(Row{1});
  examples.add_bad(Row{1});
  DnfSearch search({.variables = 1}, staged(SearchStages::kPortfolio));
  EXPECT_FALSE(search.find(examples));
}

TEST(DnfSearchTest, AGuaranteeIsGivenWhereThereIsOne) {
  EXPECT_FALSE(DnfSearch({.variables = 1}, staged(SearchStages::kNoRestarts)).mixing_bound());
  EXPECT_FALSE(DnfSearch({.variables = 1}, staged(SearchStages::kPortfolio)).mixing_bound());
  EXPECT_GE(DnfSearch({.variables = 1}, staged(SearchStages::kRestarts)).mixing_bound()->tight_gap(), .9 * .0002);
  EXPECT_GT(DnfSearch({.variables = 1}, staged(SearchStages::kSimplifiedFirst)).mixing_bound()->tight_gap(), 5e-5);
}

TEST(DnfSearchTest, RefusesOptionsThatCannotBe) {
  DnfSearchOptions options;
  options.terms = 0;
  EXPECT_THROW(DnfSearch({.variables = 1}, options), UsageError);
}

}  // namespace
}  // namespace fovea::synthesis
