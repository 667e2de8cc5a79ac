// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/task/search_policy.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::graph {
namespace {

using ::testing::HasSubstr;

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// A trial in which "a" and "b" ran for a second each. "a" closed the gap from 100 to 10, "b" then from 10 to 1 and to
/// 0; the first is a factor of ten, the second one of ten thousand, as far as a gap is told from none.
SearchTrial two_searchers() {
  return {.searchers = {{.name = "a", .seconds = 1, .rises = {{-100, -10}}},
                        {.name = "b", .seconds = 1, .rises = {{-10, -1}, {-1, 0}}}},
          .best = 0,
          .source = "model"};
}

TEST(SearchPolicy, WithoutSearchersGivesAllTheSame) { EXPECT_EQ(SearchPolicy().share("annealing"), 1); }

TEST(SearchPolicy, ValuesHowFastTheGapCloses) {
  const SearchPolicy policy = learn_search_policy({{two_searchers()}});
  EXPECT_NEAR(policy.share("b"), 1, 1e-9);
  EXPECT_NEAR(policy.share("a"), std::log(10) / std::log(1e3), .02) << "a gap of 1e-4 counts as none";
  EXPECT_EQ(policy.share("unknown"), 1);
}

TEST(SearchPolicy, ValuesAreForASecond) {
  SearchTrial trial = two_searchers();
  trial.searchers[1].seconds = 1000;
  trial.searchers[0].seconds = 600;
  const SearchPolicy policy = learn_search_policy({{trial}});
  EXPECT_NEAR(policy.share("a") / policy.share("b"), std::log(10) / 800 / (std::log(1e3) / 1000), .02)
      << "one that ran for less than the average had nothing more to do";
}

TEST(SearchPolicy, AFirstAnswerIsWorthSomething) {
  SearchTrial trial = two_searchers();
  trial.searchers[0].rises = {{kNothing, -10}};
  const SearchPolicy policy = learn_search_policy({{trial}});
  EXPECT_NEAR(policy.share("a"), 3 / std::log(1e4), .01);
}

TEST(SearchPolicy, SearchersThatBoundAreWorthTheirTimeWhereTheAnswerIsProved) {
  SearchTrial trial = two_searchers();
  trial.searchers.push_back({.name = "branch and bound", .is_for_bounds = true, .seconds = 1});
  EXPECT_NEAR(learn_search_policy({{trial}}).share("branch and bound"), SearchPolicy::kLeastShare, 1e-12);
  trial.is_proved = true;
  EXPECT_EQ(learn_search_policy({{trial}}).share("branch and bound"), 1);
}

TEST(SearchPolicy, SharesAreGeometricMeansOverTrials) {
  SearchTrial other = two_searchers();
  std::swap(other.searchers[0].rises, other.searchers[1].rises);
  const double less = learn_search_policy({{two_searchers()}}).share("a");
  const SearchPolicy policy = learn_search_policy({{two_searchers(), other, SearchTrial()}});
  EXPECT_NEAR(policy.share("a"), std::sqrt(less), 1e-9);
  EXPECT_NEAR(policy.share("b"), std::sqrt(less), 1e-9);
  EXPECT_EQ(policy.sources.size(), 2u);
}

TEST(SearchPolicy, NeedsASearch) {
  EXPECT_THROW(learn_search_policy({}), UsageError);
  EXPECT_THROW(learn_search_policy({{SearchTrial{.source = "solved by a junction tree"}}}), UsageError);
}

TEST(SearchPolicy, IsTheSameFromAFile) {
  const testing::TemporaryFolder folder;
  const SearchPolicy policy = learn_search_policy({{two_searchers()}});
  policy.save(folder / "search.policy");
  EXPECT_EQ(SearchPolicy::load(folder / "search.policy").to_json(), policy.to_json());
  EXPECT_THAT(policy.to_json(), HasSubstr(R"("sources":["model"])"));
}

TEST(SearchPolicy, RefusesDamagedFiles) {
  const testing::TemporaryFolder folder;
  const std::string good = learn_search_policy({{two_searchers()}}).to_json();
  for (const std::string& bad :
       {std::string("{"), std::string("{}"), std::string("[1]"), good.substr(0, good.size() / 2),
        std::string(R"({"shares":{"a":0},"sources":[]})"), std::string(R"({"shares":{"a":1.5},"sources":[]})"),
        std::string(R"({"shares":{"a":null},"sources":[]})"), std::string(R"({"shares":{"a":1},"sources":[1]})")}) {
    ContainerWriter writer(SearchPolicy::kKind, 1);
    writer.add("policy", bad);
    writer.write(folder / "bad.policy");
    EXPECT_THROW(SearchPolicy::load(folder / "bad.policy"), InputError) << bad;
  }
}

}  // namespace
}  // namespace fovea::graph
