// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table_format.h"

#include <gmock/gmock.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

TEST(TableFormatTest, EndingsTellFormats) {
  EXPECT_EQ(table_format_of_name("a/b.csv"), TableFormat::kCsv);
  EXPECT_EQ(table_format_of_name("b.c.tsv.gz"), TableFormat::kTsv);
  EXPECT_EQ(table_format_of_name("b.ndjson.zst"), TableFormat::kJsonLines);
  EXPECT_EQ(table_format_of_name("b.sqlite3"), TableFormat::kSqlite);
  for (const char* name : {"csv", "-", "", "a.csv/b", "a.txt", "a.csvx", ".gz"})
    EXPECT_EQ(table_format_of_name(name), std::nullopt) << name;
}

TEST(TableFormatTest, OptionsNameFormats) {
  EXPECT_EQ(value_of<TableFormat>("jsonl"), TableFormat::kJsonLines);
  EXPECT_EQ(value_of<TableFormat>("auto"), TableFormat::kAuto);
  EXPECT_EQ(value_of<TableFormat>("xml"), std::nullopt);
}

}  // namespace
}  // namespace fovea::io
