// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/example_set.h"

#include <gtest/gtest.h>

namespace fovea::synthesis {
namespace {

using Row = ExampleSet::Row;

TEST(ExampleSetTest, NumbersExamplesAndKnowsThemAgain) {
  ExampleSet examples(2);
  EXPECT_EQ(examples.add_good(Row{1, 2}), 0u);
  EXPECT_EQ(examples.add_bad(Row{1, 3}), 1u);
  EXPECT_EQ(examples.add_good(Row{1, 2}), 0u);
  EXPECT_EQ(examples.add_implication(Row{1, 2}, Row{5, 5}), 2u);
  EXPECT_EQ(examples.add_implication(Row{5, 5}, Row{1, 2}), 3u);
  EXPECT_EQ(examples.size(), 4u);
  EXPECT_EQ(examples.kind(2), ExampleKind::kImplication);
  EXPECT_EQ(examples.target(2)[0], 5);
  EXPECT_FALSE(examples.contradiction());
}

TEST(ExampleSetTest, CountsErrors) {
  ExampleSet examples(1);
  examples.add_good(Row{1});
  examples.add_bad(Row{2});
  examples.add_implication(Row{3}, Row{4});
  const Dnf at_most_one = {{{{{1}, 1}}}}, is_three = {{{{{1}, 3}, {{-1}, -3}}}}, all = {{{}}};
  EXPECT_EQ(examples.errors(at_most_one), 0u);
  EXPECT_EQ(examples.errors(is_three), 2u);
  EXPECT_TRUE(examples.errs(is_three, 0));
  EXPECT_FALSE(examples.errs(is_three, 1));
  EXPECT_TRUE(examples.errs(is_three, 2));
  EXPECT_EQ(examples.errors(all), 1u);
}

TEST(ExampleSetTest, TheSameRowGoodAndBadIsAContradiction) {
  ExampleSet examples(1);
  examples.add_bad(Row{7});
  examples.add_good(Row{1});
  EXPECT_FALSE(examples.contradiction());
  examples.add_good(Row{7});
  EXPECT_EQ(examples.contradiction(), (ExampleSet::Contradiction{.good = 2, .bad = 0}));
  EXPECT_EQ(examples.contradiction_path(), std::vector<Row>{Row{7}});
}

TEST(ExampleSetTest, ImplicationsLeadFromGoodToBad) {
  for (const bool implications_first : {true, false}) {
    ExampleSet examples(1);
    const auto add_implications = [&] {
      examples.add_implication(Row{2}, Row{3});
      examples.add_implication(Row{1}, Row{2});
      examples.add_implication(Row{3}, Row{1});  // a cycle
      examples.add_implication(Row{4}, Row{9});
    };
    if (implications_first) add_implications();
    const std::size_t good = examples.add_good(Row{1});
    EXPECT_FALSE(examples.contradiction());
    const std::size_t bad = examples.add_bad(Row{3});
    EXPECT_EQ(examples.contradiction().has_value(), implications_first);
    if (!implications_first) add_implications();
    EXPECT_EQ(examples.contradiction(), (ExampleSet::Contradiction{.good = good, .bad = bad}));
    EXPECT_EQ(examples.contradiction_path(), (std::vector<Row>{{1}, {2}, {3}}));
  }
}

TEST(ExampleSetTest, AnImplicationAgainstItsDirectionSaysNothing) {
  ExampleSet examples(1);
  examples.add_good(Row{2});
  examples.add_bad(Row{1});
  examples.add_implication(Row{1}, Row{2});
  EXPECT_FALSE(examples.contradiction());
  EXPECT_TRUE(examples.contradiction_path().empty());
}

}  // namespace

namespace {

TEST(ShortenedTest, KeepsWhatTheExamplesNeed) {
  ExampleSet examples(2);
  examples.add_good(ExampleSet::Row{1, 0});
  examples.add_bad(ExampleSet::Row{5, 0});
  examples.add_bad(ExampleSet::Row{0, 3});
  const Dnf formula = {{{{{1, 0}, 2}, {{0, 1}, 2}, {{-1, 0}, 9}},  // x <= 2 and y <= 2 and x >= -9
                        {{{1, 1}, -20}}}};
  const Dnf expected = {{{{{1, 0}, 2}, {{0, 1}, 2}}}};
  EXPECT_EQ(shortened(formula, examples), expected);
  EXPECT_EQ(shortened(expected, examples), expected);
}

TEST(ShortenedTest, NeverErrsMore) {
  ExampleSet examples(1);
  examples.add_good(ExampleSet::Row{0});
  examples.add_bad(ExampleSet::Row{1});
  examples.add_implication(ExampleSet::Row{0}, ExampleSet::Row{-1});
  const Dnf formula = {{{{{1}, 0}, {{-1}, 0}}, {{{1}, -1}}}};  // x = 0 or x <= -1
  const Dnf shorter = shortened(formula, examples);
  EXPECT_EQ(examples.errors(formula), 0u);
  EXPECT_EQ(examples.errors(shorter), 0u);
  EXPECT_EQ(simplified(shorter).text(std::vector<std::string>{"x"}), "x <= 0");
}

}  // namespace

}  // namespace fovea::synthesis
