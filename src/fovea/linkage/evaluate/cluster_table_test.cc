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

using ::testing::HasSubstr;
using testing::message_of;

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
