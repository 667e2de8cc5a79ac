// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/clustering_posterior.h"

#include <gtest/gtest.h>

#include <set>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::linkage {
namespace {

using Clusters = std::vector<ClusterId>;

TEST(ClusteringPosteriorTest, WhatNoSampleDoubtsIsSure) {
  const Clusters reported = {2, 2, 0, 2, 1};
  ClusteringPosterior posterior(reported, {{0, 1}, {1, 2}});
  posterior.add(Partition(Clusters{0, 0, 4, 0, 3}));  // the same by other numbers
  EXPECT_EQ(posterior.pair_probability(0), 1);
  EXPECT_EQ(posterior.pair_probability(1), 0);
  for (RecordId m = 0; m < 5; ++m) EXPECT_EQ(posterior.record_confidence(m), 1);
  for (ClusterId c = 0; c < 3; ++c) EXPECT_EQ(posterior.cluster_confidence(c), 1);
  EXPECT_EQ(posterior.cluster_confidence(4), 0);
}

TEST(ClusteringPosteriorTest, DoubtsRecordsThatMightLeaveAndClustersThatMightGrow) {
  ClusteringPosterior posterior(Clusters{0, 0, 1, 2}, {{0, 1}, {2, 3}});
  posterior.add(Partition(Clusters{0, 0, 1, 2}));
  posterior.add(Partition(Clusters{0, 1, 2, 2}));
  EXPECT_EQ(posterior.samples(), 2u);
  EXPECT_EQ(posterior.pair_probability(0), 0.5);
  EXPECT_EQ(posterior.pair_probability(1), 0.5);
  for (RecordId m = 0; m < 4; ++m) EXPECT_EQ(posterior.record_confidence(m), 0.75);
  EXPECT_EQ(posterior.cluster_confidence(0), 0.75);
}

/// Reference for record_confidence(), with sets.
double agreement(const Clusters& reported, const Clusters& sample, std::size_t record) {
  std::size_t both = 0, either = 0;
  for (std::size_t r = 0; r < reported.size(); ++r) {
    const bool in_reported = reported[r] == reported[record], in_sample = sample[r] == sample[record];
    both += in_reported && in_sample;
    either += in_reported || in_sample;
  }
  return static_cast<double>(both) / static_cast<double>(either);
}

TEST(ClusteringPosteriorTest, RecordsOfSeveralRecordsCountAsThese) {
  constexpr std::uint32_t kFewRecords = 12;
  Random random(1);
  Clusters reported(kFewRecords), record_clusters;
  std::vector<std::uint32_t> weights(kFewRecords);
  std::vector<std::size_t> first_record(kFewRecords);
  for (RecordId m = 0; m < kFewRecords; ++m) {
    reported[m] = random.uniform_index(4);
    weights[m] = 1 + random.uniform_index(3);
    first_record[m] = record_clusters.size();
    record_clusters.insert(record_clusters.end(), weights[m], reported[m]);
  }
  ClusteringPosterior posterior(reported, {}, weights);
  Clusters sample(kFewRecords);
  std::vector<double> expected(kFewRecords, 0);
  for (int draw = 0; draw < 10; ++draw) {
    Clusters records;
    for (RecordId m = 0; m < kFewRecords; ++m) {
      sample[m] = random.uniform_index(5);
      records.insert(records.end(), weights[m], sample[m]);
    }
    posterior.add(Partition(sample));
    for (RecordId m = 0; m < kFewRecords; ++m) expected[m] += agreement(record_clusters, records, first_record[m]) / 10;
  }
  double sum = 0, count = 0;
  for (RecordId m = 0; m < kFewRecords; ++m) {
    EXPECT_NEAR(posterior.record_confidence(m), expected[m], 1e-12);
    if (reported[m] != 2) continue;
    sum += weights[m] * expected[m];
    count += weights[m];
  }
  EXPECT_NEAR(posterior.cluster_confidence(2), sum / count, 1e-12);
}

TEST(ClusteringPosteriorTest, RefusesWeightsOfOthers) {
  EXPECT_THROW(ClusteringPosterior(Clusters{0, 1}, {}, std::vector<std::uint32_t>{1}), InternalError);
}

}  // namespace
}  // namespace fovea::linkage
