// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/match_model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/linkage/comparison/collect_statistics.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

class MatchModelFileTest : public ::testing::Test {
 protected:
  MatchModelFileTest() {
    model_.comparisons = {"name:edits", "city"};
    model_.rules = {"soundex(name)+city", "name"};
    model_.max_block = 77;
    model_.parameters = {.weights = {.prior_log_odds = -1.0 / 3, .weights = {{0, 1, 2, 3, 4e-300}, {0, -2, .1}}},
                         .equal_share = {.25, 0},
                         .term_frequency = {.pseudo_count = 2, .strength = .5},
                         .calibration = {{{0, .125}, {1.0 / 3, .125}, {1, .875}}}};
  }
  std::string refusal(const std::string& text) const {
    testing::write_file(path_, text);
    return message_of<InputError>([&] { read_match_model(path_); });
  }

  const testing::TemporaryFolder folder_;
  const std::string path_ = folder_ / "model.er";
  MatchModelDescription model_;
};

TEST_F(MatchModelFileTest, ComesBackToTheBit) {
  write_match_model(path_, model_);
  const MatchModelDescription read = read_match_model(path_);
  EXPECT_EQ(read.compare(), "name:edits, city");
  EXPECT_EQ(read.block(), "soundex(name)+city, name");
  EXPECT_EQ(read.max_block, 77);
  EXPECT_EQ(read.parameters.weights.prior_log_odds, model_.parameters.weights.prior_log_odds);
  EXPECT_EQ(read.parameters.weights.weights, model_.parameters.weights.weights);
  EXPECT_EQ(read.parameters.equal_share, model_.parameters.equal_share);
  EXPECT_EQ(read.parameters.term_frequency.pseudo_count, 2);
  EXPECT_EQ(read.parameters.term_frequency.strength, .5);
  EXPECT_EQ(read.parameters.calibration, model_.parameters.calibration);
}

TEST_F(MatchModelFileTest, MixturesComeBackToTheBit) {
  EXPECT_THAT(match_model_json(model_), HasSubstr("\"version\": 1")) << "as Fovea wrote it before there were mixtures";
  const LevelTable m = {{1, .1, .1, .1, .7}, {1, .2, .8}}, u = {{1, .7, .1, .1, .1}, {1, 1 - 1.0 / 3, 1.0 / 3}};
  model_.parameters.mixture = {.classes = {{1e-6, m, true}, {2e-6, u, false}}, .u = u};
  write_match_model(path_, model_);
  EXPECT_THAT(testing::read_file(path_), HasSubstr("\"version\": 2"));
  const MatchMixture read = read_match_model(path_).parameters.mixture;
  ASSERT_EQ(read.classes.size(), 2u);
  EXPECT_EQ(read.u, u);
  EXPECT_EQ(read.classes[0].levels, m);
  EXPECT_EQ(read.classes[1].share, 2e-6);
  EXPECT_FALSE(read.classes[1].is_match);
}

TEST_F(MatchModelFileTest, ImpossibleMixturesAreRefused) {
  const LevelTable u = {{1, .7, .1, .1, .1}, {1, .5, .5}};
  const auto refused = [&](const MatchMixture& mixture) {
    model_.parameters.mixture = mixture;
    return refusal(match_model_json(model_));
  };
  EXPECT_THAT(refused({.classes = {{.7, u, true}, {.3, u, false}}, .u = u}), HasSubstr("shares that sum to 1"));
  EXPECT_THAT(refused({.classes = {{.1, u, false}}, .u = u}), HasSubstr("no matches"));
  EXPECT_THAT(refused({.classes = {{.1, u, true}, {-1, u, false}}, .u = u}), HasSubstr("a share is -1"));
  const io::Table table = testing::table_of({"name", "city"}, {{"Ann", "Bonn"}});
  const auto comparisons = parse_comparisons("name:edits, city", table);
  model_.parameters.mixture = {.classes = {{.1, {{1, 1}, {1, 1}}, true}, {.1, u, false}}, .u = u};
  EXPECT_THAT(message_of<InputError>([&] { check_levels(model_.parameters, comparisons, "m.er"); }),
              HasSubstr("the levels of the mixture"));
}

TEST_F(MatchModelFileTest, WhatIsNoModelIsRefused) {
  write_match_model(path_, model_);
  const std::string whole = testing::read_file(path_);
  for (const std::string& bad : {std::string("{}"), std::string("[1]"), std::string("id,name\n"), whole.substr(0, 200),
                                 std::string(R"({"kind":"fovea policy"})")})
    EXPECT_THAT(refusal(bad),
                AllOf(HasSubstr("model.er"), HasSubstr("not a match model"), HasSubstr("option 'save-model'")));
  std::string newer = whole;
  newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 9");
  EXPECT_THAT(refusal(newer), HasSubstr("newer version"));
  std::string wrong = whole;
  wrong.replace(wrong.find("\"term_strength\": 0.5"), 20, "\"term_strength\": 7.5");
  EXPECT_THAT(refusal(wrong), HasSubstr("term-strength"));
  for (const auto& [good, bad] : std::map<std::string, std::string>{{"\"max_block\": 77", "\"max_block\": 1e300"},
                                                                    {"-2.0", "-2e6"},
                                                                    {"\"equal_share\": 0.25", "\"equal_share\": -1"}}) {
    std::string text = whole;
    text.replace(text.find(good), good.size(), bad);
    EXPECT_THAT(refusal(text), AllOf(HasSubstr("not a match model"), HasSubstr("not within"))) << bad;
  }
}

TEST_F(MatchModelFileTest, CalibrationIsOptionalButRises) {
  model_.parameters.calibration = {};
  write_match_model(path_, model_);
  std::string text = testing::read_file(path_);
  const std::string none = "\"calibration\": [],";
  const auto with = [&](const std::string& other) {
    return std::string(text).replace(text.find(none), none.size(), other);
  };
  testing::write_file(path_, with(""));
  EXPECT_EQ(read_match_model(path_).parameters.calibration, MonotoneMap());
  for (const char* bad : {"[[0, 0.5], [1, 0.25]]", "[[1, 0], [0, 1]]", "[[0.5, 0], [0.5, 1]]", "[[0, 0], [1, 1.5]]"})
    EXPECT_THAT(refusal(with("\"calibration\": " + std::string(bad) + ",")), HasSubstr("rising [share, probability]"));
  for (const char* bad : {"[[0]]", "[1]", "[[\"0\", 1]]"})
    EXPECT_THAT(refusal(with("\"calibration\": " + std::string(bad) + ",")), HasSubstr("not a match model"));
}

/// As Fovea wrote it before models had statistics.
constexpr const char* kOldModel = R"json({
  "kind": "fovea match model",
  "version": 1,
  "block": [
    "city",
    "initial(name)"
  ],
  "max_block": 5000,
  "prior_log_odds": -1.429513644135602,
  "term_pseudo_count": 1.0,
  "term_strength": 1.0,
  "calibration": [],
  "comparisons": [
    {
      "compare": "name:edits",
      "weights": [
        0.0,
        -1.1658811396678235,
        1.0313434376683959,
        0.41680137412180795,
        1.0313434376683959
      ],
      "equal_share": 0.0625
    },
    {
      "compare": "city",
      "weights": [
        0.0,
        -0.8677000648967036,
        0.714982448892928
      ],
      "equal_share": 0.35714285714285715
    }
  ]
}
)json";

TEST_F(MatchModelFileTest, OldModelsHaveNoStatistics) {
  testing::write_file(path_, kOldModel);
  const MatchModelDescription read = read_match_model(path_);
  EXPECT_EQ(read.compare(), "name:edits, city");
  EXPECT_EQ(read.parameters.equal_share, (std::vector<double>{.0625, 0.35714285714285715}));
  EXPECT_EQ(read.statistics, nullptr);
  EXPECT_EQ(read.draw_by, DrawBy::kRow);
  EXPECT_EQ(match_model_json(read), kOldModel) << "and none are made up";
}

TEST_F(MatchModelFileTest, StatisticsComeBack) {
  const io::Table table = testing::table_of({"name", "city"}, {{"Ann", "Ulm"}, {"Ann", "Bonn"}, {"Bo", "Ulm"}});
  model_.statistics = std::make_shared<MatchStatistics>(collect_statistics(model_.compare(), table).reduced());
  model_.draw_by = DrawBy::kId;
  write_match_model(path_, model_);
  const MatchModelDescription read = read_match_model(path_);
  EXPECT_EQ(read.draw_by, DrawBy::kId);
  ASSERT_NE(read.statistics, nullptr);
  EXPECT_FALSE(read.statistics->is_complete);
  EXPECT_EQ(read.statistics->of_values("name:edits").text_rows.count(hash_text("Ann")), 2u);
  EXPECT_EQ(read.statistics->of_values("name:edits").rows, 3u);
  EXPECT_EQ(match_model_json(read), match_model_json(model_));
}

TEST_F(MatchModelFileTest, DamagedStatisticsAreRefused) {
  const io::Table table = testing::table_of({"name", "city"}, {{"Ann", "Ulm"}, {"Ann", "Bonn"}});
  model_.statistics = std::make_shared<MatchStatistics>(collect_statistics(model_.compare(), table).reduced());
  write_match_model(path_, model_);
  const std::string whole = testing::read_file(path_);
  const std::size_t begin = whole.find("\"", whole.find("\"statistics\": [") + 14) + 1;
  const auto with = [&](std::size_t at, const std::string& text) {
    return std::string(whole).replace(begin + at, text.size(), text);
  };
  EXPECT_THAT(refusal(with(40, "?")), AllOf(HasSubstr("model.er"), HasSubstr("statistics are damaged")));
  EXPECT_THAT(refusal(with(0, "AAAA")), AllOf(HasSubstr("model.er (statistics)")));
  const char other = whole[begin + 400] == 'A' ? 'B' : 'A';
  EXPECT_THAT(refusal(with(400, {other})), AllOf(HasSubstr("model.er (statistics)"), HasSubstr("is damaged")));
  std::string wrong = whole;
  wrong.replace(wrong.find("\"statistics\": ["), 15, "\"draw_by\": 7, \"x\": [");
  EXPECT_THAT(refusal(wrong), HasSubstr("not a match model"));
}

TEST_F(MatchModelFileTest, LevelsAreChecked) {
  const io::Table table = testing::table_of({"name", "city"}, {{"Ann", "Ulm"}});
  const auto comparisons = parse_comparisons(model_.compare(), table);
  check_levels(model_.parameters, comparisons, path_);
  model_.parameters.weights.weights[1].push_back(0);
  EXPECT_THAT(message_of<InputError>([&] { check_levels(model_.parameters, comparisons, path_); }),
              HasSubstr("'city' has 4 weights for 3 levels"));
}

}  // namespace
}  // namespace fovea::linkage
