// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/clustering_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fovea/base/error.h"
#include "tests/support/attribute_models.h"
#include "tests/support/partition_chains.h"
#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kNoisyRecords = 60;

std::vector<ClusterId> clusters_of(const ClusteringChain& chain) {
  return {chain.partition().clusters().begin(), chain.partition().clusters().end()};
}

// Draws that are 50 steps apart on four records are as good as independent; the chain is warm, so that no clustering is
// rare.
TEST(ClusteringChainTest, DrawsFromThePosterior) {
  const AttributePairs model = testing::dense_model(4, Random(11));
  const testing::PartitionLaw law = testing::exact_law(model, 3);
  std::map<std::vector<ClusterId>, std::size_t> cells;
  std::vector<double> probabilities;
  for (const auto& [clusters, p] : law) {
    cells[clusters] = probabilities.size();
    probabilities.push_back(p);
  }
  for (const MoveProposal proposal : {MoveProposal::kCompanion, MoveProposal::kUniform}) {
    ClusteringChain chain(model, {.proposal = proposal, .split_merge = 0.1}, Random(1), ClusteringState::together(4));
    EXPECT_TRUE(testing::draws_follow(probabilities, 20000, [&] {
      chain.run(50, 3, mcmc::Exactness{});
      return cells.at(testing::canonical(chain.partition().clusters()));
    })) << word_of(proposal);
  }
}

TEST(ClusteringChainTest, GoesOnFromItsState) {
  const AttributePairs model = testing::sparse_model(kNoisyRecords, Random(1));
  for (const auto& [exactness, schedule] : {std::pair("exact", MoveSchedule::kUniform),
                                            {"bounded:0.1", MoveSchedule::kUniform},
                                            {"estimate", MoveSchedule::kUniform},
                                            {"exact", MoveSchedule::kLearned}}) {
    const ClusteringChainOptions options{.schedule = schedule, .least_gain = 0};
    const mcmc::Exactness how = mcmc::Exactness::parse(exactness);
    ClusteringChain chain(model, options, Random(2), ClusteringState::together(kNoisyRecords));
    chain.run(500, 30, how);
    chain.keep_if_best();
    ClusteringChain resumed(model, options, Random(2), chain.state());
    for (ClusteringChain* each : {&chain, &resumed}) {
      for (int round = 0; round < 3; ++round) each->run(500, 20, how);
      each->keep_if_best();
    }
    EXPECT_EQ(clusters_of(resumed), clusters_of(chain)) << exactness;
    EXPECT_EQ(resumed.work(), chain.work());
    EXPECT_EQ(resumed.state().best, chain.state().best);
    EXPECT_EQ(resumed.best_score(), chain.best_score());
    EXPECT_EQ(resumed.state().rounds, 4u);
    EXPECT_EQ(resumed.state().memory, chain.state().memory);
  }
}

TEST(ClusteringChainTest, RoundsDifferAndSeedsDiffer) {
  const AttributePairs model = testing::dense_model(kNoisyRecords, Random(1));
  const auto after = [&](std::uint64_t seed, int rounds) {
    ClusteringChain chain(model, {}, Random(seed), ClusteringState::singletons(kNoisyRecords));
    for (int round = 0; round < rounds; ++round) chain.run(1000, 20, mcmc::Exactness{});
    return clusters_of(chain);
  };
  EXPECT_EQ(after(1, 1), after(1, 1));
  EXPECT_NE(after(1, 1), after(2, 1));
  EXPECT_NE(after(1, 1), after(1, 2));
}

TEST(ClusteringChainTest, TellsOfEveryMove) {
  const AttributePairs model = testing::sparse_model(kNoisyRecords, Random(1));
  ClusteringChain chain(model, {.split_merge = 0.2}, Random(2), ClusteringState::singletons(kNoisyRecords));
  std::vector<ClusterId> followed = chain.state().clusters;
  std::size_t moves = 0;
  const auto on_move = [&](RecordId m, ClusterId from, ClusterId to) {
    EXPECT_EQ(followed[m], from);
    EXPECT_NE(from, to);
    followed[m] = to;
    ++moves;
  };
  for (int round = 0; round < 2; ++round) chain.run(2000, 20, mcmc::PlannedRule(mcmc::Exactness{}), on_move);
  EXPECT_EQ(followed, clusters_of(chain));
  EXPECT_GE(moves, chain.work().accepted);
  EXPECT_EQ(chain.work().proposals, 4000u);
}

/// All records with one value belong together, records with different values apart.
AttributePairs clear_cut(std::size_t records, std::uint32_t values) {
  AttributePairs model(records, -1);
  std::vector<std::uint32_t> of_records(records);
  for (std::uint32_t m = 0; m < records; ++m) of_records[m] = m % values;
  std::vector<float> scores(values * values, 0);
  for (std::uint32_t v = 0; v < values; ++v) scores[v * values + v] = 2;
  model.add_attribute(of_records, values, scores);
  return model;
}

TEST(ClusteringChainTest, CoolsDownToTheBestClustering) {
  const AttributePairs model = clear_cut(kNoisyRecords, 4);
  const CoolingOptions cooling;
  ClusteringChain chain(model, {}, Random(1), ClusteringState::singletons(kNoisyRecords));
  EXPECT_TRUE(chain.best().empty());
  for (int round = 0; round < 20; ++round) {
    chain.run(1000, cooling.temperature(round / 19.0), mcmc::Exactness{});
    chain.keep_if_best();
  }
  // Four clusters of 15.
  EXPECT_NEAR(chain.best_score(), 4 * 15 * 14 / 2, 1e-9);
  EXPECT_NEAR(testing::all_pairs_within(model, chain.best()), chain.best_score(), 1e-9);
  chain.run(1000, 1e6, mcmc::Exactness{});
  chain.keep_if_best();
  EXPECT_LT(chain.log_score(), chain.best_score());
  EXPECT_NEAR(testing::all_pairs_within(model, chain.best()), chain.best_score(), 1e-9);
}

TEST(ClusteringChainTest, SchedulesFindTheBestClusteringAndEnd) {
  const AttributePairs model = clear_cut(kNoisyRecords, 4);
  for (const MoveSchedule schedule : {MoveSchedule::kHot, MoveSchedule::kLearned}) {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      ClusteringChain chain(model, {.split_merge = 0.2, .schedule = schedule, .least_gain = 0.002}, Random(seed),
                            ClusteringState::singletons(kNoisyRecords));
      chain.run(1000 * kNoisyRecords, 0.1, mcmc::Exactness{});
      EXPECT_TRUE(chain.is_settled()) << word_of(schedule);
      EXPECT_LT(chain.work().proposals, 500 * kNoisyRecords);
      found += chain.log_score() > 4 * 15 * 14 / 2 - 1e-9;
      const ClusteringWork before = chain.work();
      chain.run(1000, 0.1, mcmc::Exactness{});
      EXPECT_EQ(chain.work(), before) << "a settled chain has nothing to do";
    }
    EXPECT_GE(found, 10) << word_of(schedule) << ", of 20 short runs";
  }
}

// Clusters of four, which are settled as soon as they are found.
TEST(ClusteringChainTest, ALearnedScheduleNeedsFewerProposals) {
  constexpr std::size_t kMany = 400;
  const AttributePairs model = clear_cut(kMany, kMany / 4);
  const auto score_after = [&](MoveSchedule schedule, std::uint64_t sweeps) {
    ClusteringChain chain(model, {.split_merge = 0, .schedule = schedule, .least_gain = 0}, Random(1),
                          ClusteringState::singletons(kMany));
    chain.run(kMany * sweeps, 0.5, mcmc::Exactness{});
    return chain.log_score();
  };
  EXPECT_GT(score_after(MoveSchedule::kLearned, 100), score_after(MoveSchedule::kUniform, 150));
}

TEST(ClusteringChainTest, SamplesAreDrawnWithoutASchedule) {
  const ClusteringChainOptions options{.alone = 0.2, .schedule = MoveSchedule::kLearned};
  EXPECT_EQ(options.for_samples().schedule, MoveSchedule::kUniform);
  EXPECT_EQ(options.for_samples().alone, 0.2);
  const AttributePairs model = clear_cut(10, 2);
  ClusteringChain chain(model, {.least_gain = 1}, Random(1), ClusteringState::singletons(10));
  chain.run(100, 1, mcmc::Exactness{});
  EXPECT_FALSE(chain.is_settled());
  EXPECT_EQ(chain.work().proposals, 100u);
}

TEST(ClusteringChainTest, WithoutSumsThereAreNoLookups) {
  const AttributePairs model = clear_cut(kNoisyRecords, 2);
  for (const bool no_sums : {false, true}) {
    ClusteringChain chain(model, {.split_merge = 0, .no_sums = no_sums}, Random(1),
                          ClusteringState::together(kNoisyRecords));
    chain.run(1000, 1, mcmc::Exactness{});
    EXPECT_EQ(chain.work().lookups == 0, no_sums);
    EXPECT_GT(chain.work().factors, 0u);
  }
}

TEST(ClusteringChainTest, RunsOnAnyNumberOfRecords) {
  for (const std::size_t records : {1, 2}) {
    const AttributePairs model = clear_cut(records, 1);
    ClusteringChain chain(model, {}, Random(1), ClusteringState::singletons(records));
    chain.run(100, 1, mcmc::Exactness{});
    EXPECT_EQ(chain.work().proposals, 100u);
  }
}

TEST(ClusteringChainTest, RefusesAStartOfOtherRecords) {
  const AttributePairs model = clear_cut(5, 2);
  const auto start = [&](std::vector<ClusterId> clusters) {
    ClusteringChain(model, {}, Random(1), {.clusters = std::move(clusters)});
  };
  EXPECT_NO_THROW(start({4, 4, 0, 1, 1}));
  EXPECT_THROW(start({0, 0, 0, 0}), InternalError);
  EXPECT_THROW(start({0, 0, 0, 0, 5}), InternalError);
}

TEST(CoolingTest, FallsGeometrically) {
  const CoolingOptions cooling{.start_temperature = 8, .end_temperature = 0.5};
  EXPECT_DOUBLE_EQ(cooling.temperature(0), 8);
  EXPECT_DOUBLE_EQ(cooling.temperature(0.5), 2);
  EXPECT_DOUBLE_EQ(cooling.temperature(1), 0.5);
}

}  // namespace
}  // namespace fovea::linkage
