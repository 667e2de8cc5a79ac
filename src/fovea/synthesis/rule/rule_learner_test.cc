// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/rule_learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "fovea/synthesis/rule/linear_scores.h"
#include "fovea/synthesis/rule/rule_search.h"

namespace fovea::synthesis {
namespace {

/// Points (x, y) of the square of side 10 and a colour; the class is 1 where x > 6 and colour is red, or where y <= 2.
/// `noise`: share of classes that are turned round.
RuleExamples boxes(std::size_t count, double noise, std::uint64_t seed = 3) {
  Random random(seed);
  RuleExamples examples = {.table = {.columns = {{.name = "x"},
                                                 {.name = "y"},
                                                 {.name = "colour", .is_numeric = false, .names = {"red", "blue"}}},
                                     .row_count = count},
                           .classes = {"0", "1"}};
  for (std::size_t i = 0; i < count; ++i) {
    const double x = random.threshold(10.0), y = random.threshold(10.0);
    const auto colour = static_cast<std::int32_t>(random.uniform_index(2));
    examples.table.columns[0].numbers.push_back(x);
    examples.table.columns[1].numbers.push_back(y);
    examples.table.columns[2].categories.push_back(colour);
    const bool label = ((x > 6 && colour == 0) || y <= 2) != random.bernoulli(noise);
    examples.class_of.push_back(label ? 1 : 0);
  }
  return examples;
}

double error_on(const TableRules& rules, const RuleExamples& examples) {
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < examples.table.row_count; ++row)
    wrong += rules.class_of(examples.table, row) != examples.class_of[row];
  return static_cast<double>(wrong) / static_cast<double>(examples.table.row_count);
}

TableRules learned(const RuleExamples& examples, RuleLearningOptions options = {}, int threads = 1) {
  options.effort = .2;  // enough here
  return learn_table_rules(examples, options, {}, threads, Random(1), {});
}

TEST(RuleLearner, FindsTheBoxes) {
  const TableRules rules = learned(boxes(1000, 0));
  EXPECT_LT(error_on(rules, boxes(1000, 0, 4)), .02);
  EXPECT_TRUE(rules.is_validated);
  EXPECT_LE(rules.rules[0].formula.size(), 8u);
}

TEST(RuleLearner, DoesNotLearnNoise) {
  const RuleExamples noisy = boxes(1000, .2);
  const TableRules rules = learned(noisy);
  EXPECT_LT(error_on(rules, boxes(1000, 0, 4)), .06);
  EXPECT_LE(rules.rules[0].formula.size(), 6u);
  EXPECT_NEAR(rules.error, .2, .04);
  EXPECT_NEAR(rules.training_error, .2, .04);
  const std::vector<RuleLength>& lengths = rules.rules[0].lengths;
  EXPECT_LT(lengths[7].training_error, lengths[7].error) << "long rules learn noise";
  EXPECT_GT(lengths[7].size, lengths[rules.rules[0].chosen].size);
}

TEST(RuleLearner, SaysNothingWhereThereIsNothingToSay) {
  const TableRules rules = learned(boxes(300, .5), {.caution = 1});
  EXPECT_LE(rules.rules[0].formula.size(), 1u);
  EXPECT_GT(rules.error, .4);
}

TEST(RuleLearner, GivesTheSameRulesAtAnyNumberOfThreads) {
  const RuleExamples examples = boxes(300, .1);
  const TableRules one = learned(examples), two = learned(examples, {}, 2);
  EXPECT_EQ(text_of(one.rules[0].formula, one.columns, RuleLanguage::kSql),
            text_of(two.rules[0].formula, two.columns, RuleLanguage::kSql));
  EXPECT_EQ(one.error, two.error);
}

TEST(RuleLearner, HeedsWeights) {
  RuleExamples examples = boxes(400, 0);  // without weight, rows with y <= 2 do not matter
  for (std::size_t row = 0; row < 400; ++row)
    examples.weights.push_back(examples.table.columns[1].numbers[row] <= 2 ? 0 : 1.5);
  const TableRules rules = learned(examples, {.variables = 1});
  EXPECT_EQ(rules.rules[0].formula.size(), 2u) << text_of(rules.rules[0].formula, rules.columns, RuleLanguage::kWords);
  EXPECT_LT(rules.training_error, .01);
}

TEST(RuleLearner, GivesEachOfSeveralClassesARule) {
  RuleExamples examples = boxes(600, 0);
  examples.classes = {"low", "middle", "high"};
  for (std::size_t row = 0; row < 600; ++row) {
    const double x = examples.table.columns[0].numbers[row];
    examples.class_of[row] = x < 3 ? 0 : x < 7 ? 1 : 2;
  }
  const TableRules rules = learned(examples);
  EXPECT_EQ(rules.rules.size(), 3u);
  EXPECT_LT(error_on(rules, examples), .02);
  EXPECT_LT(rules.error, .03);
}

TEST(RuleLearner, WithoutTimeHasAMiddlingLengthThatIsNotValidated) {
  CancelToken cancel;
  cancel.cancel();
  const TableRules rules = learn_table_rules(boxes(300, .1), {}, {}, 1, Random(1), {.cancel = &cancel});
  EXPECT_FALSE(rules.is_validated);
  EXPECT_EQ(rules.rules.size(), 1u);
  EXPECT_TRUE(rules.rules[0].lengths.empty());
}

TEST(RuleSearch, CountsErrorsAsTheFormulaDoes) {
  for (const bool is_weighted : {false, true}) {
    RuleExamples examples = boxes(130, .1);
    if (is_weighted)
      for (std::size_t row = 0; row < 130; ++row) examples.weights.push_back(static_cast<double>(row % 4));
    std::vector<bool> positive;
    for (const std::uint32_t one : examples.class_of) positive.push_back(one == 1);
    const AtomPool pool(examples, positive, {}, 10);
    RuleSearch search(pool, examples, positive, {}, Random(2));
    const RuleSearch::Formula found = search.search(1, 2000, {}, {});
    double wrong = 0, total = 0;
    for (std::size_t row = 0; row < 130; ++row) {
      total += examples.weight(row);
      if (search.formula(found).holds(examples.table, row) != positive[row]) wrong += examples.weight(row);
    }
    EXPECT_NEAR(search.errors(found), wrong, 1e-9 + (is_weighted ? .2 : 0));
    EXPECT_NEAR(search.total_weight(), total, 1e-9 + (is_weighted ? .5 : 0));
    EXPECT_GT(search.formula(found).size(), 0u);
  }
}

TEST(LinearScores, FindASlope) {
  RuleExamples examples = boxes(500, 0);
  std::vector<bool> positive;
  for (std::size_t row = 0; row < 500; ++row)
    positive.push_back(2 * examples.table.columns[0].numbers[row] - examples.table.columns[1].numbers[row] > 3);
  bool has_slope = false;
  for (const LinearScore& score : linear_scores(examples, positive, Random(1)).pairs) {
    if (score.sum.size() != 2 || score.sum[0].column != 0 || score.sum[1].column != 1) continue;
    const double scale = -score.sum[1].coefficient;
    has_slope |= std::abs(score.sum[0].coefficient / scale - 2) < .2 &&
                 std::any_of(score.bounds.begin(), score.bounds.end(),
                             [&](double bound) { return std::abs(bound / scale - 3) < .3; });
  }
  EXPECT_TRUE(has_slope);
  EXPECT_EQ(linear_scores(examples, positive, Random(1)).lassos.size(), LinearScores::kLassos);
}

}  // namespace
}  // namespace fovea::synthesis
