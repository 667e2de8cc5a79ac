// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/sparse_average_link.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "fovea/base/random.h"
#include "fovea/linkage/clustering/average_link.h"

namespace fovea::linkage {
namespace {

/// Random scores of which a few are positive.
class ScoreTable {
 public:
  ScoreTable(std::size_t records, double positive, Random random) : records_(records), scores_(records * records) {
    for (RecordId m = 0; m < records; ++m)
      for (RecordId n = 0; n < m; ++n)
        scores_[m * records + n] = scores_[n * records + m] =
            static_cast<float>((random.bernoulli(positive) ? 2 : -1) * random.exponential());
  }

  double pair_score(RecordId m, RecordId n) const { return double{scores_[m * records_ + n]}; }

  std::vector<RecordLink> links() const {
    std::vector<RecordLink> links;
    for (RecordId m = 0; m < records_; ++m)
      for (RecordId n = 0; n < m; ++n)
        if (pair_score(m, n) > 0) links.push_back({n, m, scores_[m * records_ + n]});
    return links;
  }

 private:
  std::size_t records_;
  std::vector<float> scores_;
};

std::set<std::set<RecordId>> as_sets(std::span<const ClusterId> clusters) {
  std::vector<std::set<RecordId>> members(clusters.size());
  for (RecordId m = 0; m < clusters.size(); ++m) members[clusters[m]].insert(m);
  std::set<std::set<RecordId>> sets(members.begin(), members.end());
  sets.erase(std::set<RecordId>());
  return sets;
}

TEST(SparseAverageLink, FindsTheClustersOfAverageLink) {
  Random random(2);
  for (int round = 0; round < 40; ++round) {
    const std::size_t records = 2 + random.uniform_index(40);
    const ScoreTable table(records, round % 2 == 0 ? .05 : .3,
                           random.child("table", static_cast<std::uint64_t>(round)));
    std::vector<std::uint32_t> counts;
    for (std::size_t m = 0; m < records; ++m) counts.push_back(1 + random.uniform_index(3));
    SparsePairs pairs(records, table.links(), [&](RecordId m, RecordId n) { return table.pair_score(m, n); });
    pairs.set_weights(counts);
    const auto dense = average_link(table, std::vector<double>(counts.begin(), counts.end()));
    EXPECT_EQ(as_sets(sparse_average_link(pairs)), as_sets(merged_above(0, records, dense))) << "round " << round;
  }
}

TEST(SparseAverageLink, ScoresOnlyWhatMeansNeed) {
  constexpr RecordId kRecords = 10000;  // 5 * 10^7 pairs
  std::vector<RecordLink> links;
  for (RecordId m = 0; m + 1 < kRecords; ++m) links.push_back({m, m + 1, 1 + .1F * static_cast<float>(m % 3)});
  std::size_t computed = 0;
  const SparsePairs pairs(kRecords, links, [&](RecordId, RecordId) {
    ++computed;
    return -5;
  });
  const auto sets = as_sets(sparse_average_link(pairs));
  for (const std::set<RecordId>& cluster : sets) EXPECT_LE(cluster.size(), 2u) << "a chain is not a cluster";
  EXPECT_LT(computed, 4 * kRecords);
}

TEST(SparseAverageLink, EndsWhenAsked) {
  CancelToken cancel;
  cancel.cancel();
  std::vector<RecordLink> links;
  for (RecordId m = 1; m < 2000; ++m) links.push_back({0, m, 1});
  const SparsePairs pairs(2000, links, [](RecordId, RecordId) { return 1; });
  EXPECT_GT(as_sets(sparse_average_link(pairs, {.cancel = &cancel})).size(), 1u);
  EXPECT_EQ(as_sets(sparse_average_link(pairs)).size(), 1u);
}

}  // namespace
}  // namespace fovea::linkage
