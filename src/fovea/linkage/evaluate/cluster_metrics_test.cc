// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/cluster_metrics.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

using Labels = std::vector<std::uint32_t>;

/// Computes the metrics from their definitions, by looking at every pair of records.
ClusterMetrics score_pair_by_pair(const Labels& predicted, const Labels& gold) {
  ClusterMetrics metrics;
  std::set<std::set<std::size_t>> clusters, entities;
  for (std::size_t m = 0; m < gold.size(); ++m) {
    if (gold[m] == kUnlabelled) continue;
    std::set<std::size_t> cluster, entity, both;
    for (std::size_t other = 0; other < gold.size(); ++other) {
      if (gold[other] == kUnlabelled) continue;
      const bool together = predicted[other] == predicted[m], same_entity = gold[other] == gold[m];
      if (together) cluster.insert(other);
      if (same_entity) entity.insert(other);
      if (together && same_entity) both.insert(other);
      if (other < m) metrics.pairs += MatchCounts{same_entity, together, together && same_entity};
    }
    ++metrics.records;
    metrics.b_cubed.precision += MatchCounts::ratio(both.size(), cluster.size());
    metrics.b_cubed.recall += MatchCounts::ratio(both.size(), entity.size());
    metrics.largest_cluster = std::max<std::uint64_t>(metrics.largest_cluster, cluster.size());
    metrics.largest_entity = std::max<std::uint64_t>(metrics.largest_entity, entity.size());
    clusters.insert(cluster);
    entities.insert(entity);
  }
  metrics.unlabelled = gold.size() - metrics.records;
  metrics.clusters = {entities.size(), clusters.size(), 0};
  for (const auto& cluster : clusters) metrics.clusters.correct += entities.count(cluster);
  if (metrics.records == 0) return metrics;
  metrics.b_cubed.precision /= static_cast<double>(metrics.records);
  metrics.b_cubed.recall /= static_cast<double>(metrics.records);
  return metrics;
}

/// Few different numbers, so that clusters have several records, the largest among them.
rc::Gen<std::vector<std::pair<std::uint32_t, std::uint32_t>>> labelled_records() {
  const auto label = rc::gen::element<std::uint32_t>(0, 1, 2, 7, 1u << 31, kUnlabelled);
  return rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(rc::gen::pair(label, label));
}

RC_GTEST_PROP(ClusterMetricsTest, AgreesWithEveryPairOfRecords, ()) {
  Labels predicted, gold;
  for (const auto& [cluster, entity] : *labelled_records()) {
    predicted.push_back(cluster);
    gold.push_back(entity);
  }
  const ClusterMetrics fast = score_clusters(predicted, gold), slow = score_pair_by_pair(predicted, gold);
  RC_ASSERT(fast.records == slow.records);
  RC_ASSERT(fast.unlabelled == slow.unlabelled);
  RC_ASSERT(fast.largest_cluster == slow.largest_cluster);
  RC_ASSERT(fast.largest_entity == slow.largest_entity);
  RC_ASSERT(fast.pairs == slow.pairs);
  RC_ASSERT(fast.clusters == slow.clusters);
  RC_ASSERT(std::abs(fast.b_cubed.precision - slow.b_cubed.precision) < 1e-12);
  RC_ASSERT(std::abs(fast.b_cubed.recall - slow.b_cubed.recall) < 1e-12);
}

// The example of Bagga and Baldwin (1998): entities of 5, 2 and 5 records; the first response joins the last two, the
// second the first and the last. B-cubed precision is 76 % and 58 %, recall 100 %.
const Labels kGold = {1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3};
const Labels kFirstResponse = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2};
const Labels kSecondResponse = {1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1};

TEST(ClusterMetricsTest, CountsTheExampleOfBaggaAndBaldwin) {
  const ClusterMetrics first = score_clusters(kFirstResponse, kGold), second = score_clusters(kSecondResponse, kGold);
  EXPECT_DOUBLE_EQ(first.b_cubed.precision, 16.0 / 21);  // (5 1 + 2 2/7 + 5 5/7) / 12
  EXPECT_DOUBLE_EQ(first.b_cubed.recall, 1);
  EXPECT_DOUBLE_EQ(first.b_cubed.f1(), 32.0 / 37);
  EXPECT_EQ(first.pairs, (MatchCounts{21, 31, 21}));
  EXPECT_EQ(first.clusters, (MatchCounts{3, 2, 1}));
  EXPECT_EQ(first.largest_cluster, 7u);
  EXPECT_EQ(first.largest_entity, 5u);
  EXPECT_DOUBLE_EQ(second.b_cubed.precision, 7.0 / 12);  // (10 1/2 + 2 1) / 12
  EXPECT_DOUBLE_EQ(second.b_cubed.recall, 1);
  EXPECT_EQ(second.pairs, (MatchCounts{21, 46, 21}));
  EXPECT_EQ(second.clusters, (MatchCounts{3, 2, 1}));
}

TEST(ClusterMetricsTest, RecordsWithoutGoldLabelChangeNothing) {
  Labels predicted = kFirstResponse, gold = kGold;
  predicted.insert(predicted.end(), {1, 2, 9});
  gold.insert(gold.end(), 3, kUnlabelled);
  const ClusterMetrics metrics = score_clusters(predicted, gold);
  EXPECT_EQ(metrics.unlabelled, 3u);
  EXPECT_EQ(metrics.clusters, (MatchCounts{3, 2, 1}));
  EXPECT_DOUBLE_EQ(metrics.b_cubed.precision, 16.0 / 21);
}

TEST(ClusterMetricsTest, RatesOfNothingAreZero) {
  EXPECT_EQ(score_clusters({}, {}).b_cubed.f1(), 0);
  EXPECT_EQ(score_clusters(Labels{4}, Labels{kUnlabelled}).clusters, MatchCounts());
  const ClusterMetrics singletons = score_clusters(Labels{3, 1, 2}, Labels{1, 2, 3});
  EXPECT_EQ(singletons.b_cubed.f1(), 1);
  EXPECT_EQ(singletons.clusters.f1(), 1);
  EXPECT_EQ(singletons.pairs.f1(), 0);
  EXPECT_THROW(score_clusters(Labels{1}, Labels{}), InternalError);
}

TEST(ClusterMetricsTest, PairsBeyond32BitsAreExact) {
  constexpr std::uint64_t kRecords = 200'000;
  const Labels together(kRecords, 8);
  Labels halves = together;
  std::fill(halves.begin() + kRecords / 2, halves.end(), 9);
  const ClusterMetrics metrics = score_clusters(together, halves);
  EXPECT_EQ(metrics.pairs, (MatchCounts{9'999'900'000, 19'999'900'000, 9'999'900'000}));
  EXPECT_DOUBLE_EQ(metrics.b_cubed.precision, 0.5);
}

TEST(ClusterMetricsTest, ReportsHoldTheFigures) {
  const ClusterMetrics metrics = score_clusters(kFirstResponse, kGold);
  EXPECT_EQ(metrics.brief(),
            "B-cubed F1 86.49, precision 76.19, recall 100.00; pairs F1 80.77, precision 67.74, recall 100.00; "
            "clusters F1 40.00, precision 50.00, recall 33.33 (12 mentions)");
  EXPECT_EQ(metrics.full(),
            "12 mentions, 0 without a gold label left out\n"
            "2 clusters, the largest of 7; 3 entities, the largest of 5\n"
            "\n"
            "                    gold       predicted         correct precision    recall        F1\n"
            "B-cubed                                                      76.19    100.00     86.49\n"
            "pairs                 21              31              21     67.74    100.00     80.77\n"
            "clusters               3               2               1     50.00     33.33     40.00\n");
  const auto json = nlohmann::json::parse(metrics.json());
  EXPECT_DOUBLE_EQ(json["b_cubed"]["precision"], 16.0 / 21);
  EXPECT_EQ(json["pairs"]["predicted"], 31);
  EXPECT_EQ(json["clusters"]["correct"], 1);
  EXPECT_EQ(json["largest_cluster"], 7);
  EXPECT_EQ(json["largest_entity"], 5);
  EXPECT_EQ(json["mentions"], 12);
  EXPECT_EQ(json["unlabelled"], 0);
}

}  // namespace
}  // namespace fovea::linkage
