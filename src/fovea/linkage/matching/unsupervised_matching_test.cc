// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/unsupervised_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/linkage/matching/match_explanation.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

class UnsupervisedMatchingTest : public ::testing::Test {
 protected:
  UnsupervisedMatching fit(const char* compare, const char* block, int threads = 1) {
    comparisons_ = parse_comparisons(compare, table_);
    rules_ = parse_blocking_rules(block, table_);
    candidates_.emplace(table_, rules_, 1000);
    UnsupervisedOptions options;
    options.random_pairs = 200000;
    return fit_unsupervised(comparisons_, rules_, *candidates_, options, {.threads = threads, .random = Random(5)});
  }

  const io::Table table_ = testing::made_up_people(1500, .1, Random(2));
  std::vector<Comparison> comparisons_;
  std::vector<BlockingRule> rules_;
  std::optional<CandidatePairs> candidates_;
};

constexpr const char* kCompare = "name:edits, surname:edits, born:edits, city:edits";
constexpr const char* kBlock = "surname, name, born+city";

TEST_F(UnsupervisedMatchingTest, FindsHowRecordsOfOnePersonAgree) {
  const FellegiSunterModel model = fit(kCompare, kBlock).fit.model;
  // A record is garbled in a column with probability .1: two are equal with .9^2 and a small chance of the same error,
  // which is .81 within three standard deviations of the 750 pairs or so, and the error of learning without labels.
  for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(model.m[c].back(), .81, .06) << c;
  EXPECT_NEAR(model.u[3].back(), .81 / 20, .01) << "twenty cities";
  const auto rows = static_cast<double>(table_.row_count());
  EXPECT_NEAR(model.match_share * rows * (rows - 1) / 2, 750, 75);
}

TEST_F(UnsupervisedMatchingTest, DoesNotDependOnThreads) {
  EXPECT_EQ(fit(kCompare, kBlock, 1).fit.model.m, fit(kCompare, kBlock, 2).fit.model.m);
}

TEST_F(UnsupervisedMatchingTest, AdjustsEqualityForFrequencies) {
  const UnsupervisedMatching matching = fit("name, surname:edits, born:number, city", kBlock);
  const MatchParameters parameters = matching.parameters(comparisons_, {});
  EXPECT_EQ(parameters.equal_share[3], matching.fit.model.u[3].back());
  EXPECT_EQ(parameters.weights.weights, matching.weights.weights);
  for (const std::vector<double>& row : parameters.weights.weights)
    EXPECT_TRUE(std::is_sorted(row.begin() + 1, row.end())) << "more agreement never speaks less for a match";
}

TEST_F(UnsupervisedMatchingTest, ASingleRuleIsEnough) {
  const FellegiSunterModel model = fit(kCompare, "surname").fit.model;
  EXPECT_NEAR(model.m[1].back(), 1, .01) << "all pairs agree in the rule's own column";
  EXPECT_NEAR(model.m[0].back(), .81, .06);
}

TEST_F(UnsupervisedMatchingTest, RefusesWhatCannotBeLearned) {
  EXPECT_THAT(message_of<InputError>([&] { fit("surname", "surname, name"); }), HasSubstr("Compare more columns"));
}

TEST_F(UnsupervisedMatchingTest, ARuleThatLeavesTooLittleIsPassedOver) {
  const UnsupervisedMatching matching = fit("name:edits, surname:edits, city:edits", "name+surname, city");
  EXPECT_FALSE(matching.rules[0].fit.usable());
  EXPECT_TRUE(matching.rules[1].fit.usable());
  EXPECT_THAT(profile_matching(comparisons_, matching), HasSubstr("name+surname: not learned from"));
}

TEST_F(UnsupervisedMatchingTest, ProfilesNameRulesAndLevels) {
  const UnsupervisedMatching matching = fit(kCompare, kBlock);
  EXPECT_THAT(profile_blocking(rules_, *candidates_), HasSubstr("born+city"));
  EXPECT_THAT(profile_matching(comparisons_, matching), HasSubstr("one edit"));
  const std::string json = profile_json(comparisons_, rules_, *candidates_, matching);
  EXPECT_THAT(json, HasSubstr(R"("rule":"born+city")"));
  EXPECT_THAT(json, HasSubstr(R"("level":"one edit")"));
}

}  // namespace
}  // namespace fovea::linkage
