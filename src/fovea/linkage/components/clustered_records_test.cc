// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/clustered_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using Rows = std::vector<std::vector<std::string>>;

class ClusteredRecordsTest : public ::testing::Test {
 protected:
  LabelledRecords old(const std::string& text) const {
    const std::string path = folder_ / "old.csv";
    testing::write_file(path, text);
    return read_labels(path, "", {""});
  }
  std::string refusal(const std::string& text, const io::Table& more) const {
    const LabelledRecords records = old(text);
    return message_of<InputError>([&] { append_records(records, records.table.column_count() - 1, more, 0); });
  }

  const testing::TemporaryFolder folder_;
  const std::string text_ = "id,name,who\n1,Ann,x\n2,Bo,y\n3,Ann,x\n";
};

TEST_F(ClusteredRecordsTest, NewRecordsComeBehindOldOnes) {
  const ClusteredRecords records =
      append_records(old(text_), 2, testing::table_of({"id", "city", "name"}, Rows{{"9", "Ulm", "Cy"}}), 0);
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

TEST_F(ClusteredRecordsTest, ColumnsMustFit) {
  EXPECT_THAT(refusal(text_, testing::table_of({"number"}, Rows{{"7"}})), HasSubstr("'number' here and 'id' in"));
  EXPECT_THAT(refusal(text_, testing::table_of({"id", "who"}, Rows{{"7", "x"}})), HasSubstr("column of clusters"));
  EXPECT_THAT(refusal("id,name,who\n1,Ann,x\n2,Bo,\n", testing::table_of({"id"}, Rows{{"7"}})),
              AllOf(HasSubstr("old.csv:3"), HasSubstr("without a cluster")));
}

}  // namespace
}  // namespace fovea::linkage
