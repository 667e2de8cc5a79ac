// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/cluster_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

class ClusterFileTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    testing::write_file(folder_ / name, text);
    return folder_ / name;
  }
  /// Error message of reading `text` with its first column, its last and `gold`.
  std::string refusal(const std::string& text, const std::string& name = "bad.csv") const {
    return message_of<InputError>([&] { read_labels(write(name, text), "", {"", "gold"}); });
  }
  std::string scoring_refusal(const std::string& clusters, const std::string& gold) const {
    const LabelledRecords records = read_labels(write("c.csv", clusters), "", {""});
    const LabelledRecords labels = read_labels(write("g.csv", gold), "", {"gold"});
    return message_of<InputError>([&] { score_labels(records, labels); });
  }

  const testing::TemporaryFolder folder_;
};

TEST_F(ClusterFileTest, ReadsTheFirstAndTheLastColumnUnlessNamed) {
  const std::string csv = write("a.csv", "id,gold,name,\"the, cluster\"\nx,1,n,5\n\ny,,o,6\nz,1,p,5\n");
  const LabelledRecords records = read_labels(csv, "", {"", "gold"});
  EXPECT_EQ(records.table.cell(1, records.id_column), "y");
  EXPECT_THAT(records.labels[0], ElementsAre(0, 1, 0));
  EXPECT_THAT(records.labels[1], ElementsAre(0, kUnlabelled, 0));
  const LabelledRecords named = read_labels(csv, "name", {"the, cluster"});
  EXPECT_EQ(named.table.cell(0, named.id_column), "n");
  EXPECT_EQ(named.labels[0], records.labels[0]);
}

TEST_F(ClusterFileTest, JoinsGoldLabelsById) {
  const LabelledRecords clusters = read_labels(write("c.csv", "id,cluster\nx,1\ny,1\nz,2\n"), "", {""});
  const LabelledRecords gold = read_labels(write("g.csv", "id,gold\nz,a\ny,\nx,b\n"), "", {"gold"});
  const ClusterMetrics metrics = score_labels(clusters, gold);
  EXPECT_EQ(metrics.unlabelled, 1u);
  EXPECT_EQ(metrics.clusters, (MatchCounts{2, 2, 2}));
}

TEST_F(ClusterFileTest, RefusesTablesThatCannotBeRead) {
  EXPECT_THAT(refusal("id,gold,cluster\n"), HasSubstr("bad.csv: a table without records"));
  EXPECT_THAT(refusal("id,god,cluster\nx,1,1\n"), HasSubstr("bad.csv: no column is called 'gold'"));
  EXPECT_THAT(refusal("id,cluster,gold\nx,1,1\n"), HasSubstr("bad.csv: column 'gold' cannot be two"));
  EXPECT_THAT(refusal("gold,cluster\nx,1\n"), HasSubstr("bad.csv: column 'gold' cannot be two"));
}

TEST_F(ClusterFileTest, RefusesRecordsThatCannotBeScored) {
  const std::string gold = "id,gold\nx,1\ny,1\n";
  EXPECT_THAT(scoring_refusal("id,cluster\nx,1\nx,1\n", gold), HasSubstr("c.csv:3: "));
  EXPECT_THAT(scoring_refusal("id,cluster\nx,1\ny,1\n", gold + "y,2\n"), HasSubstr("g.csv:4: "));
  EXPECT_THAT(scoring_refusal("id,cluster\nx,1\ny,\n", gold), HasSubstr("c.csv:3: a record without a cluster"));
  EXPECT_THAT(scoring_refusal("id,cluster\nx,1\ny,1\nw,1\n", gold), HasSubstr("c.csv:4: "));
  EXPECT_THAT(scoring_refusal("id,cluster\nx,1\n", gold), HasSubstr("c.csv has no record with the id 'y'"));
  EXPECT_THAT(scoring_refusal("id,cluster\nx,1\n", "id,gold\nx,\n"), HasSubstr("g.csv: no record has a gold label"));
}

}  // namespace

namespace {

class ClusterTableTest : public ::testing::Test {
 protected:
  const testing::TemporaryFolder folder_;
  const std::string path_ = folder_ / "clusters.csv";
  const io::Table table_ =
      testing::table_of({"name", "id", "city"}, {{"Ann", "a7", "Ulm"}, {"Bo", "b1", ""}, {"An", "c", "Ulm"}});
  const std::vector<std::uint32_t> clusters_ = {0, 1, 0};
};

TEST_F(ClusterTableTest, IdsComeFirstAndClustersLast) {
  write_clusters(path_, table_, 1, {.clusters = clusters_});
  EXPECT_EQ(testing::read_file(path_), "id,name,city,cluster\na7,Ann,Ulm,a7\nb1,Bo,,b1\nc,An,Ulm,a7\n");
}

TEST_F(ClusterTableTest, ConfidenceStandsBeforeTheCluster) {
  const std::vector<double> confidence = {.75, 1, 2. / 3};
  write_clusters(path_, table_, 1, {.clusters = clusters_, .confidence = confidence, .name = "who"});
  EXPECT_EQ(testing::read_file(path_),
            "id,name,city,confidence,who\na7,Ann,Ulm,0.7500,a7\nb1,Bo,,1.0000,b1\nc,An,Ulm,0.6667,a7\n");
}

TEST_F(ClusterTableTest, AConfidenceThatIsNotKnownIsEmpty) {
  const std::vector<double> confidence = {std::numeric_limits<double>::quiet_NaN(), 1, .5};
  write_clusters(path_, table_, 1, {.clusters = clusters_, .confidence = confidence});
  EXPECT_EQ(testing::read_file(path_),
            "id,name,city,confidence,cluster\na7,Ann,Ulm,,a7\nb1,Bo,,1.0000,b1\nc,An,Ulm,0.5000,a7\n");
}

TEST_F(ClusterTableTest, ClustersKeepTheirNames) {
  const io::Table table =
      testing::table_of({"id", "who", "name"}, {{"1", "x", "Ann"}, {"2", "", "Bo"}, {"3", "", "Ann"}});
  write_clusters(path_, table, 0, {.clusters = clusters_, .name = "who", .names = 1});
  EXPECT_EQ(testing::read_file(path_), "id,name,who\n1,Ann,x\n2,Bo,2\n3,Ann,x\n");
}

TEST_F(ClusterTableTest, ColumnsAreNotOverwritten) {
  EXPECT_THAT(
      message_of<UsageError>([&] { write_clusters(path_, table_, 1, {.clusters = clusters_, .name = "city"}); }),
      HasSubstr("people.csv has a column 'city' already"));
}

}  // namespace

}  // namespace fovea::linkage
