// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/metrics/tagging_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fovea::tagging {
namespace {

using TagRow = std::vector<std::string_view>;

TaggingMetrics score(const std::vector<std::pair<TagRow, TagRow>>& sentences) {
  TaggingMetrics metrics;
  for (const auto& [gold, predicted] : sentences) metrics.add(gold, predicted);
  return metrics;
}

// Worked by hand. Gold: PER 0-2, LOC 3-4 | ORG 0-1, ORG 1-2. Predicted: PER 0-2, LOC 3-5 | ORG 0-2, PER 3-4.
TaggingMetrics worked_example() {
  return score({{{"B-PER", "I-PER", "O", "B-LOC", "O"}, {"I-PER", "I-PER", "O", "I-LOC", "I-LOC"}},
                {{"B-ORG", "B-ORG", "O", "O"}, {"B-ORG", "I-ORG", "O", "S-PER"}}});
}

TEST(TaggingMetricsTest, CountsTheWorkedExample) {
  const TaggingMetrics metrics = worked_example();
  EXPECT_TRUE(metrics.has_entities());
  EXPECT_EQ(metrics.entities(), (MatchCounts{4, 4, 1}));
  EXPECT_EQ(metrics.entity_types().find("PER")->second, (MatchCounts{1, 2, 1}));
  EXPECT_EQ(metrics.entity_types().find("LOC")->second, (MatchCounts{1, 1, 0}));
  EXPECT_EQ(metrics.entity_types().find("ORG")->second, (MatchCounts{2, 1, 0}));
  EXPECT_DOUBLE_EQ(metrics.entities().f1(), 0.25);
  EXPECT_EQ(metrics.tokens(), 9u);
  EXPECT_EQ(metrics.correct_tokens(), 4u);
  EXPECT_EQ(metrics.correct_sentences(), 0u);
  EXPECT_EQ(metrics.confusion("O", "I-LOC"), 1u);
  EXPECT_EQ(metrics.confusion("I-LOC", "O"), 0u);
  EXPECT_EQ(metrics.confusion("unseen", "O"), 0u);
}

TEST(TaggingMetricsTest, PrecisionAndRecallAreNotSwapped) {
  const TaggingMetrics metrics = score({{{"B-A", "O", "O"}, {"B-A", "B-A", "B-A"}}});
  EXPECT_DOUBLE_EQ(metrics.entities().recall(), 1);
  EXPECT_DOUBLE_EQ(metrics.entities().precision(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.entities().f1(), 0.5);
}

TEST(TaggingMetricsTest, SentencesEndEntities) {
  const TaggingMetrics apart = score({{{"I-A"}, {"I-A"}}, {{"I-A"}, {"I-A"}}});
  const TaggingMetrics together = score({{{"I-A", "I-A"}, {"I-A", "I-A"}}});
  EXPECT_EQ(apart.entities(), (MatchCounts{2, 2, 2}));
  EXPECT_EQ(together.entities(), (MatchCounts{1, 1, 1}));
}

TEST(TaggingMetricsTest, SameSpanOfAnotherTypeIsWrong) {
  EXPECT_EQ(score({{{"B-A", "I-A"}, {"B-B", "I-B"}}}).entities(), (MatchCounts{1, 1, 0}));
  EXPECT_EQ(score({{{"B-A", "I-A"}, {"I-A", "I-A"}}}).entities(), (MatchCounts{1, 1, 1})) << "scheme does not matter";
}

TEST(TaggingMetricsTest, PerfectPredictionScoresOneAndNothingScoresZero) {
  const TagRow gold = {"B-A", "I-A", "O", "S-B"}, nothing = {"O", "O", "O", "O"};
  EXPECT_DOUBLE_EQ(score({{gold, gold}}).entities().f1(), 1);
  EXPECT_DOUBLE_EQ(score({{gold, nothing}}).entities().f1(), 0);
  EXPECT_DOUBLE_EQ(score({}).entities().f1(), 0);
  EXPECT_DOUBLE_EQ(score({}).accuracy(), 0);
}

TEST(TaggingMetricsTest, OtherLabelsHaveNoEntities) {
  const TaggingMetrics metrics = score({{{"B"}, {"B"}}, {{"NN", "VB"}, {"NN", "NN"}}});
  EXPECT_FALSE(metrics.has_entities());
  EXPECT_THAT(metrics.remarks(), ::testing::IsEmpty());
  EXPECT_EQ(metrics.brief(), "accuracy 66.67 (2 of 3 tokens)");
  EXPECT_TRUE(nlohmann::json::parse(metrics.json())["entities"].is_null());
}

TEST(TaggingMetricsTest, AForeignLabelAmongEntitiesCountsAsOutside) {
  const TaggingMetrics metrics = score({{{"B-A", "L-A", "X"}, {"B-A", "L-A", "O"}}, {{"U-B"}, {"<unk>"}}});
  EXPECT_TRUE(metrics.has_entities());
  EXPECT_EQ(metrics.entities(), (MatchCounts{2, 1, 1}));
  EXPECT_THAT(metrics.remarks(),
              ::testing::ElementsAre(::testing::HasSubstr("2 gold or predicted labels mark no entity")));
}

TEST(TaggingMetricsTest, SentencesWithUnknownLabelsHaveNoEntities) {
  TaggingMetrics metrics;
  metrics.add_partial(TagRow{"B-A"}, TagRow{"B-A"});
  EXPECT_FALSE(metrics.has_entities());
  metrics.add(TagRow{"B-A", "O"}, TagRow{"B-A", "O"});
  EXPECT_TRUE(metrics.has_entities());
  EXPECT_EQ(metrics.entities(), (MatchCounts{1, 1, 1}));
  EXPECT_EQ(metrics.tokens(), 3u);
  EXPECT_EQ(metrics.correct_sentences(), 1u);
  EXPECT_THAT(metrics.remarks(),
              ::testing::ElementsAre(::testing::StartsWith("1 of 2 sentences have gold labels that are")));
}

TEST(TaggingMetricsTest, AColumnThatIsNotTheGoldLabelIsNoticed) {
  EXPECT_THAT(score({{{"Ann", "ran"}, {"B-P", "O"}}}).remarks(),
              ::testing::ElementsAre(::testing::StartsWith("no gold label is ever predicted")));
  TagRow words(20, "w"), labels(20, "O");
  words[3] = "O";
  EXPECT_THAT(score({{words, labels}}).remarks(),
              ::testing::ElementsAre(::testing::StartsWith("95.0 % of the tokens")));
  words[4] = words[5] = "O";
  EXPECT_THAT(score({{words, labels}}).remarks(), ::testing::IsEmpty());
}

TEST(TaggingMetricsTest, TotalsAreTheSumsOfTheirParts) {
  const TaggingMetrics metrics = worked_example();
  MatchCounts by_type, by_sentence, by_label;
  for (const auto& [type, counts] : metrics.entity_types()) by_type += counts;
  for (const SentenceCounts& s : metrics.sentences()) by_sentence += {s.gold, s.predicted, s.correct};
  for (const auto& [label, counts] : metrics.labels()) by_label += counts;
  EXPECT_EQ(by_type, metrics.entities());
  EXPECT_EQ(by_sentence, metrics.entities());
  EXPECT_EQ(by_label, (MatchCounts{metrics.tokens(), metrics.tokens(), metrics.correct_tokens()}));
  std::uint64_t cells = 0;
  for (const auto& c : metrics.confusions()) cells += c.tokens;
  EXPECT_EQ(cells, metrics.tokens());
}

TEST(TaggingMetricsTest, ReportsHoldTheFigures) {
  const TaggingMetrics metrics = worked_example();
  EXPECT_EQ(metrics.brief(),
            "F1 25.00, precision 25.00, recall 25.00 (4 gold, 4 predicted, 1 correct entities); "
            "accuracy 44.44 (4 of 9 tokens)");
  EXPECT_NE(metrics.full().find("ORG"), std::string::npos);
  EXPECT_NE(metrics.full().find("gold \\ predicted"), std::string::npos);
  const auto json = nlohmann::json::parse(metrics.json());
  EXPECT_EQ(json["entities"]["types"]["PER"]["predicted"], 2);
  EXPECT_DOUBLE_EQ(json["entities"]["f1"], 0.25);
  EXPECT_EQ(json["labels"]["O"]["gold"], 4);
}

TEST(TaggingMetricsTest, ManyLabelsListConfusionsInsteadOfAMatrix) {
  TaggingMetrics metrics;
  std::vector<std::string> names;
  for (char c = 'a'; c < 'z'; ++c) names.emplace_back(3, c);
  for (const std::string& name : names) metrics.add(TagRow{name}, TagRow{names[0]});
  EXPECT_NE(metrics.full().find("bbb -> aaa"), std::string::npos);
  EXPECT_EQ(metrics.full().find("aaa -> aaa"), std::string::npos);
}

TEST(TaggingMetricsTest, LabelsOfAnyBytesGiveValidJson) {
  const TaggingMetrics metrics = score({{{"\xff\xfe"}, {"B"}}});
  EXPECT_TRUE(nlohmann::json::accept(metrics.json()));
}

}  // namespace
}  // namespace fovea::tagging
