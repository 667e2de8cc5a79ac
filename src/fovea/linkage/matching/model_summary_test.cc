// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/model_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "fovea/linkage/comparison/collect_statistics.h"
#include "fovea/linkage/statistics/context_statistics.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

MatchModelDescription small_model() {
  MatchModelDescription model;
  model.comparisons = {"born:date(1y)", "dob:year", "name@size(name)"};
  model.rules = {"soundex(name)"};
  model.parameters.weights = {
      .prior_log_odds = -2, .weights = {{0, -1, .5, 2}, {0, 1}, std::vector<double>(1 + 2 * context_ranges().size())}};
  return model;
}

TEST(ModelSummaryTest, NamesTheLevels) {
  const std::string text = model_text(small_model());
  EXPECT_THAT(text, AllOf(HasSubstr("blocking rule      soundex(name)\n"),
                          HasSubstr("prior              -2.00 nats, probability 0.119\n"),
                          HasSubstr("every table is scored by its own")));
  EXPECT_THAT(text, HasSubstr("born:date(1y)                within 1 year                                   +0.50\n"));
  EXPECT_THAT(text, HasSubstr("dob:year                     level 1 ")) << "a column whose name looks like a kind";
  const auto json = nlohmann::json::parse(model_json(small_model()));
  EXPECT_EQ(json["comparisons"][0]["levels"][1]["level"], "over 1 year");
  EXPECT_EQ(json["comparisons"][2]["levels"][2]["level"], "equal (1)");
  EXPECT_TRUE(json["statistics"].is_null());
}

/// Weights next to a mixture are corrections by labels: zeros would say that nothing was learned.
TEST(ModelSummaryTest, ShowsWhatAMixtureSays) {
  MatchModelDescription model;
  model.comparisons = {"name"};
  model.parameters.weights = {.prior_log_odds = .5, .weights = {{0, 0, .25}}};
  const LevelTable u = {{1, .9, .1}};
  model.parameters.mixture = {.classes = {{.2, {{1, .2, .8}}, true}, {.1, u, false}}, .u = u};
  EXPECT_THAT(model_text(model), AllOf(HasSubstr("1 of matches, 1 of related pairs"), HasSubstr("+2.33\n")));
  const auto json = nlohmann::json::parse(model_json(model));
  EXPECT_NEAR(json["prior_log_odds"], std::log(.2 / .8) + .5, 1e-9);
  EXPECT_NEAR(json["comparisons"][0]["levels"][2]["weight"], std::log(8) + .25, 1e-9);
  EXPECT_EQ(json["related_kinds"], 1);
}

TEST(ModelSummaryTest, CountsWhatStatisticsHold) {
  const io::Table table = testing::table_of({"name"}, {{"Ann Lee"}, {"Ann Lee"}, {"Bo Lee"}, {""}});
  const MatchStatistics statistics = collect_statistics("name:words@size(name)", table);
  EXPECT_THAT(statistics_text(statistics), AllOf(StartsWith("statistics of 4 records\n"), HasSubstr("size(name)")));
  const auto json = nlohmann::json::parse(statistics_json(statistics));
  EXPECT_EQ(json["comparisons"][0],
            nlohmann::json::parse(R"({"comparison":"name:words","rows":3,"values":2,"words":3})"));
  EXPECT_EQ(json["contexts"][0]["context"], "size(name)");
}

TEST(ModelSummaryTest, KnowsJsonByItsBeginning) {
  const testing::TemporaryFolder folder;
  testing::write_file(folder / "a", " \n{}");
  testing::write_file(folder / "b", "id,name\n");
  testing::write_file(folder / "c", "");
  EXPECT_TRUE(may_be_match_model(folder / "a"));
  EXPECT_FALSE(may_be_match_model(folder / "b"));
  EXPECT_FALSE(may_be_match_model(folder / "c"));
}

}  // namespace
}  // namespace fovea::linkage
