// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/learn_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/matching/match_model.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kBlocks = 20, kPeople = 3, kRecords = 4;

/// Blocks of people who always write their own colour, and one of a few numbers that say nothing.
struct Labelled {
  io::Table table{"t.csv", {"block", "colour", "number"}};
  std::vector<std::uint32_t> entities;
  Blocks blocks;
  std::vector<Comparison> comparisons;

  Labelled() {
    Random random(1);
    for (std::uint32_t block = 0; block < kBlocks; ++block)
      for (std::uint32_t i = 0; i < kPeople * kRecords; ++i) {
        const std::array<std::string, 3> cells = {std::to_string(block), "c" + std::to_string(i % kPeople),
                                                  std::to_string(random.uniform_index(4))};
        table.add_row(std::array<std::string_view, 3>{cells[0], cells[1], cells[2]}, table.row_count() + 2);
        entities.push_back(block * kPeople + i % kPeople);
      }
    blocks = group_rows(table, BlockingRule("block", table));
    comparisons = parse_comparisons("colour, number", table);
  }

  LearnedMatching learn(const LearnMatchingOptions& options = {}) const {
    Random random(2);
    return learn_matching(comparisons, blocks, entities, options, random);
  }
};

TEST(LearnMatchingTest, LearnsWhatTellsEntitiesApart) {
  const Labelled data;
  const LearnedMatching learned = data.learn();
  EXPECT_EQ(learned.pairs, kBlocks * 66u);  // all of 12 records
  EXPECT_EQ(learned.training.f1(), 1);
  const auto& colour = learned.weights.weights[0];
  const auto& number = learned.weights.weights[1];
  EXPECT_GT(colour[2] - colour[1], 4);
  EXPECT_LT(std::abs(number[2] - number[1]), 0.5);
  const MatchModel model(data.comparisons, {.weights = learned.weights});
  for (std::uint32_t row = 1; row < kPeople * kRecords; ++row)
    EXPECT_EQ(model.score({0, row}) > 0, data.entities[0] == data.entities[row]) << row;
  EXPECT_THAT(learned.brief(), HasSubstr("B-cubed F1 1.0000"));
}

TEST(LearnMatchingTest, TheThresholdMovesThePrior) {
  const LearnedMatching learned = Labelled().learn();
  EXPECT_DOUBLE_EQ(learned.weights.prior_log_odds, learned.fit.weights.prior_log_odds - learned.threshold);
  EXPECT_EQ(learned.weights.weights, learned.fit.weights.weights);
  const LearnedMatching without = Labelled().learn({.threshold_block = 11});
  EXPECT_EQ(without.threshold, 0);
}

TEST(LearnMatchingTest, RowsWithoutALabelDoNotCount) {
  Labelled data;
  std::vector<std::uint32_t> entities = data.entities;
  std::fill(entities.begin() + 24, entities.end(), kUnlabelled);
  std::swap(data.entities, entities);
  EXPECT_EQ(data.learn().pairs, 2u * 66);
  std::ranges::fill(data.entities, kUnlabelled);
  EXPECT_THAT(message_of<InputError>([&] { data.learn(); }), HasSubstr("Label more records"));
}

TEST(LearnMatchingTest, RefusesLabelsOfOneKind) {
  Labelled data;
  std::ranges::fill(data.entities, 7U);
  EXPECT_THAT(message_of<InputError>([&] { data.learn(); }), HasSubstr("both must be positive"));
  EXPECT_THROW(data.learn({.pairs = 0}), UsageError);
}

}  // namespace
}  // namespace fovea::linkage
