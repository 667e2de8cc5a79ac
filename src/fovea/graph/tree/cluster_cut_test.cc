// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/cluster_cut.h"

#include <gtest/gtest.h>

namespace fovea::graph::internal {
namespace {

const std::vector<std::size_t> kCardinalities = {4, 3, 5, 2};

AddedTable over(std::vector<std::size_t> strides, std::size_t entries) {
  return {nullptr, entries, std::move(strides)};
}

TEST(ClusterCutTest, CutsWhereNothingIsCopied) {
  const std::vector<AddedTable> tables = {over({15, 5, 1, 0}, 60), over({0, 2, 0, 1}, 6)};
  const ClusterCut cut = ClusterCut::find(kCardinalities, 3, tables, 3, 0);
  EXPECT_EQ(cut.places, std::vector<std::size_t>{1});
  EXPECT_EQ(cut.parts, 3u);
  EXPECT_EQ(cut.count_copied(tables), 0u);
  EXPECT_EQ(cut.in_order(kCardinalities), (std::vector<std::size_t>{3, 4, 5, 2}));
}

TEST(ClusterCutTest, CopiesSmallTablesForMoreParts) {
  const std::vector<AddedTable> tables = {over({15, 5, 1, 0}, 60), over({0, 2, 0, 1}, 6)};
  const ClusterCut cut = ClusterCut::find(kCardinalities, 3, tables, 12, 72);
  EXPECT_EQ(cut.places, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(cut.parts, 12u);
  EXPECT_EQ(cut.count_copied(tables), 6u);
  EXPECT_TRUE(cut.is_apart(tables[0]));
  EXPECT_FALSE(cut.is_apart(tables[1]));
  EXPECT_EQ(ClusterCut::find(kCardinalities, 3, tables, 12, 71).parts, 3u) << "more would copy too much";
}

TEST(ClusterCutTest, LeavesSmallClustersAlone) {
  EXPECT_EQ(ClusterCut::find(kCardinalities, 3, {}, 1, 100).parts, 1u);
  EXPECT_EQ(ClusterCut::find(kCardinalities, 0, {}, 5, 100).parts, 1u);
}

}  // namespace
}  // namespace fovea::graph::internal
