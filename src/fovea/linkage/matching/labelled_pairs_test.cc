// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/labelled_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

class LabelledPairsTest : public ::testing::Test {
 protected:
  std::vector<LabelledRowPair> read(const std::string& rows) const {
    testing::write_file(path_, "first_id,second_id,score,match\n" + rows);
    return read_labelled_pairs(io::read_table(path_), RecordNames{.ids = &ids_});
  }
  std::string refusal(const std::string& rows) const {
    return testing::message_of<InputError>([&] { read(rows); });
  }

  const testing::TemporaryFolder folder_;
  const std::string path_ = folder_ / "pairs.csv";
  const io::Table table_ = testing::table_of({"id"}, {{"a"}, {"b"}, {"c"}});
  const io::IdIndex ids_ = io::unique_ids(table_, 0);
};

TEST_F(LabelledPairsTest, AreReadInAnyOrderOfTheTwo) {
  const auto pairs = read("b,a,1.5,Yes\na,c,,0\nb,c,2,\na,b,1.5,1\n");
  ASSERT_EQ(pairs.size(), 2u) << "one has no label, one is there twice";
  EXPECT_EQ(pairs[0].rows.first, 0u);
  EXPECT_EQ(pairs[0].rows.second, 1u);
  EXPECT_TRUE(pairs[0].is_match);
  EXPECT_FALSE(pairs[1].is_match);
}

TEST_F(LabelledPairsTest, WhatCannotBeIsRefused) {
  EXPECT_THAT(refusal("a,b,1,1\nb,a,1,no\n"), AllOf(HasSubstr("pairs.csv:3"), HasSubstr("otherwise in line 2")));
  EXPECT_THAT(refusal("a,d,1,1\n"), AllOf(HasSubstr("pairs.csv:2"), HasSubstr("'d'")));
  EXPECT_THAT(refusal("a,a,1,1\n"), HasSubstr("with itself"));
  EXPECT_THAT(refusal("a,b,1,maybe\n"), HasSubstr("'maybe'"));
}

TEST_F(LabelledPairsTest, WithoutIdsTheyNameRows) {
  io::Table table("pairs", {"match", "second", "first"}, io::RowNumbers::kRows);
  const auto add = [&](std::string_view first, std::string_view second, std::string_view match) {
    table.add_row(std::array{match, second, first}, static_cast<std::int64_t>(table.row_count()) + 1);
  };
  add("2", "0", "true");
  const auto pairs = read_labelled_pairs(table, RecordNames{.row_count = 3});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].rows.first, 0u);
  EXPECT_EQ(pairs[0].rows.second, 2u);
  add("0", "2", "false");
  const auto refusal_of = [&] {
    return testing::message_of<InputError>([&] { read_labelled_pairs(table, RecordNames{.row_count = 3}); });
  };
  EXPECT_THAT(refusal_of(), AllOf(HasSubstr("pairs, row 2"), HasSubstr("otherwise in pairs, row 1")));
  for (const std::string_view name : {"3", "-1", "1.0", "", "x"}) {
    table = io::Table("pairs", {"match", "second", "first"}, io::RowNumbers::kRows);
    add("0", name, "1");
    EXPECT_THAT(refusal_of(), HasSubstr("is not a row of a table of 3")) << name;
  }
}

}  // namespace
}  // namespace fovea::linkage
