// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/incremental_clustering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/matching/candidate_scoring.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

using Rows = std::vector<std::vector<std::string>>;

class ClusteredRecordsTest : public ::testing::Test {
 protected:
  io::Table old(const std::string& text) const {
    const std::string path = folder_ / "old.csv";
    testing::write_file(path, text);
    return io::read_table(path);
  }
  std::string refusal(const std::string& text, const io::Table& more) const {
    const io::Table records = old(text);
    return message_of<InputError>([&] { append_records({records, records.column_count() - 1, 0}, more); });
  }

  const testing::TemporaryFolder folder_;
  const std::string text_ = "id,name,who\n1,Ann,x\n2,Bo,y\n3,Ann,x\n";
};

TEST_F(ClusteredRecordsTest, NewRecordsComeBehindOldOnes) {
  const io::Table before = old(text_);
  const ClusteredRecords records =
      append_records({before, 2, 0}, testing::table_of({"id", "city", "name"}, Rows{{"9", "Ulm", "Cy"}}));
  EXPECT_THAT(records.table.columns(), ElementsAre("id", "name", "who", "city"));
  EXPECT_EQ(records.old_count(), 3u);
  EXPECT_THAT(records.clusters, ElementsAre(0, 1, 0));
  EXPECT_EQ(records.table.cell(3, 1), "Cy");
  EXPECT_TRUE(records.table.is_missing(3, 2));
}

TEST_F(ClusteredRecordsTest, NamesAreNotGivenTwice) {
  EXPECT_THAT(refusal(text_, testing::table_of({"id"}, Rows{{"7"}, {"3"}})),
              AllOf(HasSubstr("people.csv:3"), HasSubstr("'3' already")));
  EXPECT_THAT(refusal(text_, testing::table_of({"id"}, Rows{{"7"}, {"x"}})),
              AllOf(HasSubstr("people.csv:3"), HasSubstr("a cluster called 'x'")));
  EXPECT_THAT(refusal(text_, testing::table_of({"id"}, Rows{{"7"}, {"7"}})), HasSubstr("'7'"));
}

TEST_F(ClusteredRecordsTest, RecordsNeedNoIds) {
  const io::Table before = old("name,who\nAnn,x\nBo,y\nAnn,x\n");
  const ClusteredRecords records = append_records({before, 1}, testing::table_of({"name"}, Rows{{"Ann"}, {"Ann"}}));
  EXPECT_THAT(records.clusters, ElementsAre(0, 1, 0));
  EXPECT_EQ(records.table.row_count(), 5u);
}

TEST_F(ClusteredRecordsTest, ColumnsMustFit) {
  EXPECT_THAT(refusal(text_, testing::table_of({"number"}, Rows{{"7"}})), HasSubstr("'number' here and 'id' in"));
  EXPECT_THAT(refusal(text_, testing::table_of({"id", "who"}, Rows{{"7", "x"}})), HasSubstr("column of clusters"));
  EXPECT_THAT(refusal("id,name,who\n1,Ann,x\n2,Bo,\n", testing::table_of({"id"}, Rows{{"7"}})),
              AllOf(HasSubstr("old.csv:3"), HasSubstr("without a cluster")));
}

}  // namespace

namespace {

class IncrementalClusteringTest : public ::testing::Test {
 protected:
  /// All pairs that agree in name or city are candidates; names say more.
  IncrementalClusters cluster(const std::vector<std::vector<std::string>>& rows,
                              const std::vector<std::uint32_t>& old_clusters) {
    const io::Table table = testing::table_of({"name", "city"}, rows);
    const auto comparisons = parse_comparisons("name, city", table);
    const MatchModel model(comparisons, {.weights = {.prior_log_odds = -2, .weights = {{0, -3, 3}, {0, -1, 2}}}});
    const CandidatePairs candidates(table, parse_blocking_rules("name, city", table), 100,
                                    {PairScope::Kind::kNew, {static_cast<std::uint32_t>(old_clusters.size())}});
    return cluster_new_rows(model, 0, old_clusters, table.row_count(), score_candidates(model, candidates, 0).pairs);
  }
};

TEST_F(IncrementalClusteringTest, NewRowsJoinOldClustersOrFoundNewOnes) {
  const IncrementalClusters found =
      cluster({{"Ann", "Ulm"}, {"Ann", "Ulm"}, {"Bo", "Ulm"}, {"Ann", ""}, {"Cy", "Bonn"}, {"Cy", "Bonn"}, {"Di", ""}},
              {0, 0, 2});
  EXPECT_THAT(found.clusters, ElementsAre(0, 0, 2, 0, 4, 4, 6));
  EXPECT_EQ(found.joined, 1u);
  EXPECT_THAT(found.between, IsEmpty());
}

TEST_F(IncrementalClusteringTest, OldClustersStayApartAndAreTold) {
  const IncrementalClusters found = cluster({{"Ann", "Ulm"}, {"Ann", "Bonn"}, {"Ann", "Ulm"}}, {0, 1});
  EXPECT_THAT(found.clusters, ElementsAre(0, 1, 0)) << "the better one";
  const IncrementalClusters apart = cluster({{"Ann", ""}, {"Ann", ""}, {"Ann", ""}}, {0, 1});
  EXPECT_THAT(apart.clusters, ElementsAre(0, 1, 0));
  EXPECT_THAT(apart.between, ElementsAre(2));
}

TEST_F(IncrementalClusteringTest, AllMembersHaveASay) {
  // The new row agrees with the first member and disagrees with the others.
  const IncrementalClusters found =
      cluster({{"Ann", "Ulm"}, {"Bo", "Bonn"}, {"Bo", "Bonn"}, {"Ann", "Ulm"}}, {0, 0, 0});
  EXPECT_THAT(found.clusters, ElementsAre(0, 0, 0, 3));
}

TEST_F(IncrementalClusteringTest, AnEarlierNewRowMovesOnWhenABetterOneComes) {
  // The first new row joins Ann for her city, until two more of its own name come.
  const IncrementalClusters found = cluster({{"", "Ulm"}, {"Cy", "Ulm"}, {"Cy", "Ulm"}, {"Cy", "Ulm"}}, {0});
  EXPECT_EQ(found.clusters[1], found.clusters[2]);
  EXPECT_EQ(found.clusters[2], found.clusters[3]);
}

}  // namespace

}  // namespace fovea::linkage
