// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/attribute_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/attribute_models.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kPairedRecords = 40;

void expect_bounded(const AttributePairs& model) {
  double most = 0;
  for (RecordId m = 0; m < kPairedRecords; ++m)
    for (RecordId n = 0; n < kPairedRecords; ++n) {
      EXPECT_NEAR(model.pair_score(m, n), model.pair_score(n, m), 1e-12);
      if (m == n) continue;
      EXPECT_LE(std::abs(model.pair_score(m, n)), model.score_bound(m));
      most = std::max(most, std::abs(model.pair_score(m, n)) / model.score_bound(m));
    }
  EXPECT_GT(most, 0.25);
}

TEST(AttributePairsTest, NoPairScoresBeyondTheBound) {
  expect_bounded(testing::dense_model(kPairedRecords, Random(4)));
  expect_bounded(testing::sparse_model(kPairedRecords, Random(4)));
}

TEST(AttributePairsTest, ScoresAddUpAndCountForAllRecords) {
  AttributePairs model(4, -1);
  model.add_attribute({0, 1, 0, 1}, 2, {2, 3, 3, 4});
  model.add_sparse_attribute({0, 1, 2, kMissingValue}, {3, -10, std::vector<ValuePairScore>{{1, 0, 20}, {2, 2, 30}}},
                             100);
  EXPECT_EQ(model.pair_score(0, 1), -1 + 3 + 20);
  EXPECT_EQ(model.pair_score(0, 2), -1 + 2 - 10);
  EXPECT_EQ(model.pair_score(1, 3), -1 + 4 + 100);
  EXPECT_EQ(model.score_bound(0), 103);
  model.set_weights({1, 5, 2, 3});
  EXPECT_EQ(model.pair_score(0, 1), 5 * 22);
  EXPECT_EQ(model.pair_score(1, 2), 10 * (-1 + 3 - 10));
  EXPECT_EQ(model.score_bound(2), 2 * 5 * 103);
}

TEST(AttributePairsTest, RefusesWhatIsNoAttribute) {
  AttributePairs model(2, 0);
  EXPECT_THROW(model.add_attribute({0}, 1, {1}), InternalError);
  EXPECT_THROW(model.add_attribute({0, 1}, 1, {1}), InternalError);
  EXPECT_THROW(model.add_attribute({0, 0}, 1, {INFINITY}), InternalError);
  EXPECT_THROW(model.add_sparse_attribute({0, 3}, {2, 0, {}}), InternalError);
  EXPECT_THROW(model.set_weights({1, 0}), InternalError);
}

}  // namespace
}  // namespace fovea::linkage
