// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/map_portfolio.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

namespace fovea::graph {
namespace {

/// Finds score s after `cost` transitions, s = 1, 2, ..., `top`; one that proves also gives the bound `top`.
class ScriptedSearcher : public Searcher {
 public:
  struct Script {
    const char* name = "script";
    std::uint64_t cost = 1;
    int top = 1;
    bool proves = false;
  };
  ScriptedSearcher(const Script& script, std::vector<double>* offers, bool listens = true)
      : script_(script), offers_(offers), listens_(listens) {}

  const char* name() const override { return script_.name; }
  Work run(std::uint64_t transitions, const Stop&) override {
    const std::uint64_t left = script_.cost * static_cast<std::uint64_t>(script_.top) - spent_;
    const std::uint64_t now = std::min(transitions, left);
    spent_ += now;
    const auto score = static_cast<double>(spent_ / script_.cost);
    if (score > 0 && score > best_.score) best_ = {.values = {0}, .score = score};
    return {.transitions = now};
  }
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override {
    if (offers_) offers_->push_back(found.score);
    if (listens_ && found.score > best_.score) best_ = found;
  }
  double upper_bound() const override { return script_.proves && is_finished() ? script_.top : 1e9; }
  bool is_finished() const override { return spent_ == script_.cost * static_cast<std::uint64_t>(script_.top); }

 private:
  Script script_;
  std::vector<double>* offers_;
  bool listens_;  // takes over what it is offered
  std::uint64_t spent_ = 0;
  ScoredAssignment best_;
};

std::unique_ptr<Searcher> scripted(const ScriptedSearcher::Script& script, std::vector<double>* offers = nullptr) {
  return std::make_unique<ScriptedSearcher>(script, offers);
}

class MapPortfolioTest : public ::testing::Test {
 protected:
  MapPortfolioTest() {
    FactorGraph::Builder builder;
    builder.add_variable(2);
    graph = builder.build();
  }
  FactorGraph graph;
};

TEST_F(MapPortfolioTest, TakesTheBestOfAllMembersAndSaysWhoFoundIt) {
  SolveLog log({});
  MapPortfolio portfolio(graph, log);
  portfolio.add(scripted({.name = "low", .cost = 10, .top = 3}));
  portfolio.add(scripted({.name = "high", .cost = 1000, .top = 50}));
  portfolio.run({}, 1'000'000);
  EXPECT_EQ(portfolio.best().score, 50);
  EXPECT_EQ(portfolio.finder(), "high");
  EXPECT_FALSE(portfolio.is_proved());
  EXPECT_EQ(log.work().transitions, 50'030u) << "all members have finished";
}

TEST_F(MapPortfolioTest, EndsWhenTheBoundMeetsTheScore) {
  SolveLog log({});
  MapPortfolio portfolio(graph, log);
  portfolio.add(scripted({.name = "endless", .cost = 1'000'000, .top = 1000}));
  portfolio.add_proof(scripted({.name = "proof", .cost = 10, .top = 7, .proves = true}));
  portfolio.run({}, 100'000);
  EXPECT_TRUE(portfolio.is_proved());
  EXPECT_EQ(portfolio.upper_bound(), 7);
  EXPECT_EQ(portfolio.finder(), "proof");
}

TEST_F(MapPortfolioTest, KeepsToABudgetOfTransitions) {
  SolveLog log({});
  MapPortfolio portfolio(graph, log);
  for (int m = 0; m < 3; ++m) portfolio.add(scripted({.cost = 1000, .top = 1'000'000}));
  portfolio.run({}, 20'000);
  EXPECT_GE(log.work().transitions, 20'000u);
  EXPECT_LE(log.work().transitions, 20'003u) << "each member rounds its slice up";
}

TEST_F(MapPortfolioTest, GivesSearchersTheSharesOfThePolicy) {
  constexpr ScriptedSearcher::Script kEndless{.name = "endless", .cost = 1, .top = 1 << 30};
  constexpr ScriptedSearcher::Script kRare{.name = "rare", .cost = 1, .top = 1 << 30};
  const auto spent = [&](const SearchPolicy& policy) {
    SolveLog log({});
    MapPortfolio portfolio(graph, log, policy);
    std::vector<const Searcher*> members;
    for (const auto& script : {kEndless, kRare}) {
      auto searcher = std::make_unique<ScriptedSearcher>(script, nullptr, /*listens=*/false);
      members.push_back(searcher.get());
      portfolio.add(std::move(searcher));
    }
    portfolio.run({}, 100'000);
    EXPECT_THAT(portfolio.records(), ::testing::SizeIs(2));
    EXPECT_THAT(portfolio.records()[0].rises, ::testing::Not(::testing::IsEmpty()));
    return members[1]->best().score / members[0]->best().score;
  };
  EXPECT_NEAR(spent({.adapts = false}), 1, .01);
  EXPECT_NEAR(spent({.searchers = {{"rare", .25}}, .adapts = false}), .25, .01);
  EXPECT_LT(spent({.searchers = {{"rare", .25}}}), .2) << "the finder gets more";
}

TEST_F(MapPortfolioTest, SharesFindsOnlyBetweenRoundsAndAlikeForAnyNumberOfThreads) {
  std::vector<std::vector<double>> offers;
  for (const int threads : {1, 2, 4}) {
    offers.emplace_back();
    SolveLog log({});
    MapPortfolio portfolio(graph, log);
    portfolio.add(scripted({.name = "listener", .cost = 1 << 30, .top = 1}, &offers.back()));
    portfolio.add(scripted({.name = "finder", .cost = 700, .top = 40}));
    portfolio.add(scripted({.name = "other finder", .cost = 500, .top = 45}));
    portfolio.run({.threads = threads}, 100'000);
  }
  EXPECT_THAT(offers[0], ::testing::Not(::testing::IsEmpty()));
  EXPECT_EQ(offers[1], offers[0]);
  EXPECT_EQ(offers[2], offers[0]);
}

TEST_F(MapPortfolioTest, TellsEveryImprovementOnce) {
  std::vector<double> scores;
  SolveLog log([&](const Progress& progress) { scores.push_back(progress.value); });
  MapPortfolio portfolio(graph, log);
  portfolio.add(scripted({.cost = 3000, .top = 20}));
  portfolio.run({}, 60'000);
  EXPECT_THAT(scores, ::testing::Not(::testing::IsEmpty()));
  for (std::size_t i = 1; i < scores.size(); ++i) EXPECT_GT(scores[i], scores[i - 1]);
}

TEST_F(MapPortfolioTest, DoesNothingOnceStopIsRequested) {
  CancelToken cancel;
  cancel.cancel();
  SolveLog log({});
  MapPortfolio portfolio(graph, log);
  portfolio.add(scripted({.cost = 1, .top = 5}));
  portfolio.run({.stop = {.cancel = &cancel}});
  EXPECT_FALSE(portfolio.best().found());
  EXPECT_EQ(log.work().transitions, 0u);
}

}  // namespace
}  // namespace fovea::graph
