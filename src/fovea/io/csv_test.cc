// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/csv.h"

#include <gmock/gmock.h>

#include "tests/support/expect_error.h"

namespace fovea {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

CsvReader reader_of(std::string_view text) { return CsvReader(ByteSource::from_memory(text, "t.csv")); }

TEST(Csv, ReadsPlainAndQuotedCells) {
  CsvReader reader = reader_of("a,\"b, c\",\"say \"\"hi\"\"\"\r\n1,2,3\n\n,\"\",x\n");
  EXPECT_THAT(reader.columns(), ElementsAre("a", "b, c", "say \"hi\""));
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("1", "2", "3"));
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("", "", "x"));
  EXPECT_EQ(reader.location().line, 4u);
  EXPECT_FALSE(reader.next());
}

TEST(Csv, WhatIsWrittenIsReadBack) {
  const std::vector<std::string> cells = {"plain", "with, comma", "with \"quote\"", "", "\"", "end of line\r"};
  std::string bytes;
  OutputFile output = OutputFile::to_memory(bytes);
  write_csv_row(cells, output);
  output.finish();
  EXPECT_EQ(reader_of(bytes).columns(), cells);
}

TEST(Csv, RefusesWhatIsNoTable) {
  EXPECT_THAT(message_of<InputError>([] { reader_of(""); }), HasSubstr("an empty file"));
  EXPECT_THAT(message_of<InputError>([] { reader_of("a,b,a\n"); }), HasSubstr("t.csv:1: two columns are called 'a'"));
  EXPECT_THAT(message_of<InputError>([] { reader_of("a,\"b\n"); }), HasSubstr("t.csv:1: cell 2 has no closing quote"));
  EXPECT_THAT(message_of<InputError>([] { reader_of("a,\"b\"c\n"); }), HasSubstr("goes on behind its closing quote"));
  CsvReader reader = reader_of("a,b\n1,2\n1,2,3\n");
  EXPECT_TRUE(reader.next());
  EXPECT_THAT(message_of<InputError>([&] { reader.next(); }), HasSubstr("t.csv:3: 3 cells, but the header has 2"));
}

}  // namespace
}  // namespace fovea
