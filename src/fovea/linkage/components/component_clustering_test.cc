// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/component_clustering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"
#include "fovea/linkage/matching/candidate_scoring.h"
#include "fovea/linkage/matching/scored_pairs.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

/// Many records of few people, who are told apart by noisy columns: a block too large to be solved exactly.
class ComponentClusteringTest : public ::testing::Test {
 protected:
  ComponentClusteringTest() {
    const io::Table people = testing::made_up_people(12, 0, Random(4));  // some of them twice
    Random random(9);
    std::vector<std::vector<std::string>> rows;
    for (std::uint32_t i = 0; i < 120; ++i) {
      const std::uint32_t person = i < 6 ? 11 : random.uniform_index(11);  // rows 0 .. 5 are a component of their own
      rows.push_back({std::to_string(i)});
      for (const std::size_t column : {1, 2, 3, 4})
        rows.back().emplace_back(random.bernoulli(.1) ? "" : people.cell(person, column));
      gold_.push_back(static_cast<std::uint32_t>(std::stoul(std::string(people.cell(person, 5)))));
    }
    table_ = testing::table_of({"id", "name", "surname", "born", "city"}, rows);
    comparisons_ = parse_comparisons("name, surname, born, city", table_);
    MatchParameters parameters{.weights = {.prior_log_odds = -3, .weights = {}}};
    parameters.weights.weights.assign(4, {0, -4, 2});
    model_.emplace(comparisons_, parameters);
    components_.rows.resize(120);
    std::iota(components_.rows.begin(), components_.rows.end(), 0u);
    components_.begin = {0, 6, 119};  // and the last one is in no component
  }

  RecordClusters cluster(ComponentClusteringOptions options, std::span<const RowPair> watched = {}, int threads = 1) {
    return cluster_components(task(watched), options, {.threads = threads, .random = Random(1)});
  }

  ComponentTask task(std::span<const RowPair> watched = {}, double least_score = 0) const {
    return {.model = *model_,
            .least_score = least_score,
            .components = components_,
            .row_count = 120,
            .watched = {watched.begin(), watched.end()},
            .gold = gold_};
  }

  std::vector<std::uint32_t> gold_;
  io::Table table_{"people.csv"};
  std::vector<Comparison> comparisons_;
  std::optional<MatchModel> model_;
  Blocks components_;
};

TEST_F(ComponentClusteringTest, DrawsFollowFromTheNamesOfStreams) {
  ComponentClusteringOptions options;
  options.start = ClusteringStart::kSingletons;
  const auto factors = [&](std::vector<std::uint64_t> streams) {
    ComponentTask named = task();
    named.streams = std::move(streams);
    return cluster_components(named, options, {.random = Random(1)}).work.factors;
  };
  std::vector<std::uint64_t> rows(120), others(120, 4711);
  std::iota(rows.begin(), rows.end(), 0u);
  EXPECT_EQ(factors(rows), factors({})) << "rows are the default";
  EXPECT_NE(factors(others), factors({})) << "other proposals, though the clusters may be the same";
}

TEST_F(ComponentClusteringTest, FindsThePeople) {
  const RecordClusters found = cluster({});
  EXPECT_GT(score_clusters(found.clusters, gold_).pairs.f1(), .9);
  EXPECT_EQ(found.clusters[119], 119u) << "no component";
  EXPECT_EQ(found.components, 2u);
  for (std::uint32_t row = 0; row < 120; ++row) {
    EXPECT_LE(found.clusters[row], row);
    EXPECT_EQ(found.clusters[found.clusters[row]], found.clusters[row]);
  }
  EXPECT_TRUE(found.confidence.empty());
}

TEST_F(ComponentClusteringTest, DoesNotDependOnThreads) {
  ComponentClusteringOptions options;
  options.samples = 20;
  const RecordClusters one = cluster(options, {}, 1), two = cluster(options, {}, 2);
  EXPECT_EQ(one.clusters, two.clusters);
  EXPECT_EQ(one.confidence, two.confidence);
  EXPECT_EQ(one.work, two.work);
}

TEST_F(ComponentClusteringTest, TellsHowSureItIs) {
  ComponentClusteringOptions options;
  options.samples = 400;
  const std::vector<RowPair> watched = {{0, 1}, {6, 7}, {0, 119}, {5, 6}};
  const RecordClusters found = cluster(options, watched);
  EXPECT_NEAR(found.probabilities[0], 1, .1) << "one person";
  EXPECT_NEAR(found.probabilities[1], gold_[6] == gold_[7], .2);
  EXPECT_TRUE(std::isnan(found.probabilities[2])) << "no common component";
  EXPECT_TRUE(std::isnan(found.probabilities[3]));
  EXPECT_EQ(found.confidence[119], 1);
  for (const double confidence : found.confidence) EXPECT_TRUE(confidence > 0 && confidence <= 1);
}

TEST_F(ComponentClusteringTest, ProbabilitiesAreCalibrated) {
  ComponentClusteringOptions options;
  options.samples = 50;
  const std::vector<RowPair> watched = {{0, 1}, {0, 119}, {6, 7}, {6, 8}, {6, 9}, {6, 10}};
  const RecordClusters raw = cluster(options, watched);
  MatchParameters parameters = model_->parameters();
  parameters.calibration = {{{0, .125}, {1, .875}}};
  model_.emplace(comparisons_, parameters);
  const RecordClusters found = cluster(options, watched);
  EXPECT_EQ(found.clusters, raw.clusters);
  EXPECT_TRUE(std::isnan(found.probabilities[1])) << "no common component";
  for (const std::size_t i : {0, 2, 3, 4, 5})
    EXPECT_NEAR(found.probabilities[i], .125 + .75 * raw.probabilities[i], 1e-12);
}

TEST_F(ComponentClusteringTest, LeavesWhatItIsNotGivenTheTimeFor) {
  CancelToken cancel;
  cancel.cancel();
  const RecordClusters found = cluster_components(task(), {}, {.stop = {.cancel = &cancel}, .random = Random(1)});
  EXPECT_EQ(found.left, 2u);
  for (std::uint32_t row = 0; row < 120; ++row) EXPECT_EQ(found.clusters[row], row);
}

TEST_F(ComponentClusteringTest, KnowsNothingOfWhatItLeaves) {
  CancelToken cancel;
  cancel.cancel();
  ComponentClusteringOptions options;
  options.samples = 5;
  const std::vector<RowPair> watched = {{0, 1}, {0, 119}};
  const RecordClusters found =
      cluster_components(task(watched), options, {.stop = {.cancel = &cancel}, .random = Random(1)});
  EXPECT_TRUE(std::isnan(found.confidence[0]));
  EXPECT_EQ(found.confidence[119], 1) << "in no component";
  EXPECT_TRUE(std::isnan(found.probabilities[0]));
  EXPECT_TRUE(std::isnan(found.probabilities[1])) << "no common component";
}

TEST_F(ComponentClusteringTest, AStoppedChainGivesItsBestClustersWithoutProbabilities) {
  CancelToken cancel;
  cancel.cancel();
  ComponentClusteringOptions options;
  options.samples = 5;
  const ComponentSolver solver(*model_, 0, options);
  const Component component{components_[1], {{0, 1}}};
  const ComponentResult stopped = solver.solve(component, Random(1), {.cancel = &cancel}),
                        whole = solver.solve(component, Random(1));
  EXPECT_FALSE(stopped.is_finished);
  EXPECT_TRUE(whole.is_finished);
  EXPECT_TRUE(stopped.confidence.empty() && stopped.probabilities.empty());
  EXPECT_EQ(whole.probabilities.size(), 1u);
  const std::vector<std::uint32_t> gold(gold_.begin() + 6, gold_.end() - 1);
  EXPECT_GT(score_clusters(stopped.clusters, gold).pairs.f1(), .5) << "of average link";
}

TEST_F(ComponentClusteringTest, ReportsTheBCubedOfWhatIsDone) {
  double last = 0, rows = 0;
  const ProgressFunction progress = [&](const Progress& p) {
    EXPECT_EQ(p.figure, "B-cubed F1");
    last = p.value;
    rows = p.done;
  };
  const RecordClusters found = cluster_components(task(), {}, {.random = Random(1), .progress = progress});
  EXPECT_EQ(rows, 119);
  EXPECT_NEAR(last, score_clusters(found.clusters, gold_).b_cubed.f1(), 1e-9);
}

TEST_F(ComponentClusteringTest, GoesOnFromACheckpoint) {
  const testing::TemporaryFolder folder;
  ComponentClusteringOptions options;
  options.samples = 5;
  const std::vector<RowPair> watched = {{0, 1}, {6, 7}};
  ComponentTask stopped = task(watched);
  stopped.checkpoint = folder / "checkpoint";
  CancelToken cancel;
  const ProgressFunction cancel_after_one = [&](const Progress&) { cancel.cancel(); };
  const RecordClusters part = cluster_components(
      stopped, options, {.stop = {.cancel = &cancel}, .threads = 1, .random = Random(1), .progress = cancel_after_one});
  EXPECT_EQ(part.left, 1u);
  ComponentTask resumed = task(watched);
  resumed.resume = stopped.checkpoint;
  const RecordClusters whole = cluster(options, watched);
  const RecordClusters found = cluster_components(resumed, options, {.random = Random(1)});
  EXPECT_EQ(found.clusters, whole.clusters);
  EXPECT_EQ(found.confidence, whole.confidence);
  EXPECT_EQ(found.probabilities, whole.probabilities);
  EXPECT_EQ(found.work, whole.work);
  EXPECT_EQ(found.left, 0u);
  for (const auto& other : {Random(2), Random(3)})
    EXPECT_THAT(testing::message_of<InputError>([&] { cluster_components(resumed, options, {.random = other}); }),
                ::testing::HasSubstr("option 'resume'"));
  options.samples = 6;
  EXPECT_THROW(cluster_components(resumed, options, {.random = Random(1)}), InputError);
}

TEST_F(ComponentClusteringTest, AHigherThresholdSplits) {
  const RecordClusters strict = cluster_components(task({}, 100), {}, {.random = Random(1)});
  for (std::uint32_t row = 0; row < 120; ++row) EXPECT_EQ(strict.clusters[row], row);
}

/// Three rows: two that are alike, and one that differs from them in the city.
/// People in one component, held together by pairs that share a city; only those of one person belong together.
TEST(ComponentClustering, OfManyRowsFollowsLinks) {
  const io::Table people = testing::made_up_people(500, .05, Random(4));
  const auto comparisons = parse_comparisons("name, surname, born, city", people);
  MatchParameters parameters{.weights = {.prior_log_odds = -6, .weights = {}}};
  parameters.weights.weights.assign(4, {0, -3, 4});
  const MatchModel model(comparisons, parameters);
  const CandidatePairs candidates(people, parse_blocking_rules("name, surname, born, city", people), 5000);
  const std::vector<ScoredPair> links = score_candidates(model, candidates, 0).pairs;
  Blocks all;
  all.rows.resize(people.row_count());
  std::iota(all.rows.begin(), all.rows.end(), 0U);
  all.begin.push_back(people.row_count());
  ComponentTask task{.model = model, .components = all, .row_count = people.row_count()};
  const RecordClusters dense = cluster_components(task, {});
  task.links = links;
  const RecordClusters sparse = cluster_components(task, {});
  EXPECT_EQ(sparse.clusters, dense.clusters);
  EXPECT_LT(sparse.work.factors, dense.work.factors + people.row_count());
  ComponentClusteringOptions sampling;
  sampling.samples = 3;
  EXPECT_EQ(cluster_components(task, sampling).clusters, sparse.clusters);
}

TEST(ComponentClustering, OfFewRowsIsExact) {
  const io::Table table = testing::table_of({"name", "city"}, {{"Ann", "Ulm"}, {"Ann", "Ulm"}, {"Ann", "Bonn"}});
  const auto comparisons = parse_comparisons("name, city", table);
  const MatchModel model(comparisons, {.weights = {.prior_log_odds = -1, .weights = {{0, -2, 2}, {0, -.75, 2}}}});
  const Blocks components{{0, 1, 2}, {0, 3}};
  ComponentClusteringOptions options;
  options.samples = 1;
  const RecordClusters found =
      cluster_components({model, 0, components, 3, {{0, 1}, {1, 2}}}, options, {.random = Random(1)});
  const double together = probability_of(2 * (-1 + 2 - .75));  // two pairs depend on it
  EXPECT_THAT(found.clusters, ::testing::ElementsAre(0, 0, 0));
  EXPECT_EQ(found.probabilities[0], 1) << "no comparison tells them apart";
  EXPECT_NEAR(found.probabilities[1], together, 1e-12);
  // If the third is apart, two records of the cluster share two thirds of it, and one shares a third.
  EXPECT_NEAR(found.confidence[2], together + (1 - together) * (2 * 2. / 3 + 1. / 3) / 3, 1e-12);
}

}  // namespace
}  // namespace fovea::linkage
