// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/delimited_reader.h"

#include <gmock/gmock.h>

#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

DelimitedReader delimited_reader_of(std::string_view text, const DelimitedFormat& format = {}) {
  return DelimitedReader(LineReader(ByteSource::from_memory(text, "t.csv")), format);
}

/// The reader's complaint about the header or a row after it.
std::string delimited_error(std::string_view text, const DelimitedFormat& format = {}) {
  return message_of<InputError>([&] {
    DelimitedReader reader = delimited_reader_of(text, format);
    while (reader.next()) continue;
  });
}

TEST(DelimitedReaderTest, ReadsPlainAndQuotedCells) {
  DelimitedReader reader =
      delimited_reader_of("a,\"b, c\",\"say \"\"hi\"\"\"\r\n1,2,3\n\n,\"\",x\n5\" disk,b\"b,c\"\n");
  EXPECT_THAT(reader.columns(), ElementsAre("a", "b, c", "say \"hi\""));
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("1", "2", "3"));
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("", "", "x"));
  EXPECT_EQ(reader.location().line, 4u) << "the empty line counts";
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("5\" disk", "b\"b", "c\"")) << "quotes count only where a cell begins";
  EXPECT_FALSE(reader.next());
}

TEST(DelimitedReaderTest, ALineBeforeTheHeaderMayNameTheSeparator) {
  for (const char* first : {"sep=;", "SEP=;\r", "\"sep=;\""}) {
    DelimitedReader reader = delimited_reader_of(std::string(first) + "\na,b;c\n1;2\n");
    EXPECT_THAT(reader.columns(), ElementsAre("a,b", "c")) << first;
    ASSERT_TRUE(reader.next());
    EXPECT_THAT(reader.cells(), ElementsAre("1", "2"));
    EXPECT_EQ(reader.location().line, 3u);
  }
  EXPECT_THAT(delimited_reader_of("sep=\t\na,b\tc\n").columns(), ElementsAre("a,b", "c"));
  EXPECT_THAT(delimited_reader_of("sep=,x\n1,2\n").columns(), ElementsAre("sep=", "x")) << "an ordinary header";
  EXPECT_THAT(delimited_error("sep=^\na^b\n"), HasSubstr("t.csv:1: the separator '^' is not known"));
  EXPECT_THAT(delimited_error("sep=;\n"), HasSubstr("no header follows this line"));
}

TEST(DelimitedReaderTest, BlanksAroundACellAreDroppedUnlessQuoted) {
  DelimitedReader reader = delimited_reader_of("\xEF\xBB\xBF id, given name ,x\n a , \" Brodley, C. \"\t, \n");
  EXPECT_THAT(reader.columns(), ElementsAre("id", "given name", "x"));
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("a", " Brodley, C. ", ""));
}

TEST(DelimitedReaderTest, QuotedCellsMaySpanLines) {
  DelimitedReader reader = delimited_reader_of("a,b\n1,\"one\r\n\n\"\"two\"\"\"\n2,x\n");
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("1", "one\n\n\"two\""));
  EXPECT_EQ(reader.line_number(), 2u) << "where the row begins";
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("2", "x"));
  EXPECT_EQ(reader.line_number(), 5u);
}

TEST(DelimitedReaderTest, BehindTabsNothingIsQuoted) {
  DelimitedReader reader = delimited_reader_of("a\tb,c\n\"x\t y\"\n");
  EXPECT_EQ(reader.delimiter(), '\t');
  EXPECT_THAT(reader.columns(), ElementsAre("a", "b,c"));
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("\"x", "y\""));
}

TEST(DelimitedReaderTest, TheHeaderTellsTheDelimiter) {
  EXPECT_EQ(delimited_reader_of("a;b\n").delimiter(), ';');
  EXPECT_EQ(delimited_reader_of("a|b\n").delimiter(), '|');
  EXPECT_EQ(delimited_reader_of("\"a;x\",b|c\n").delimiter(), ',');
  EXPECT_EQ(delimited_reader_of("name\n").delimiter(), ',');
  EXPECT_THAT(delimited_reader_of("a;b,c\n", {.delimiter = ';'}).columns(), ElementsAre("a", "b,c"));
}

TEST(DelimitedReaderTest, EncodingsAreDecodedBeforeCellsAreCut) {
  DelimitedReader reader = delimited_reader_of("a,b\n\"J\xF6rg, K\nM\xFCller\",\xE9\n", {.encoding = "latin1"});
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("Jörg, K\nMüller", "é"));
}

TEST(DelimitedReaderTest, ATableMayHaveNoRows) {
  const Table table = read_delimited(LineReader(ByteSource::from_memory("a,b\n", "t.csv")));
  EXPECT_EQ(table.row_count(), 0u);
  EXPECT_EQ(table.column_count(), 2u);
}

TEST(DelimitedReaderTest, TheTableKnowsLinesAndMarkers) {
  const Table table =
      read_delimited(LineReader(ByteSource::from_memory("a,b\n\n1,\"x\ny\"\nNA,2\n", "t.csv")), {}, {"NA"});
  ASSERT_EQ(table.row_count(), 2u);
  EXPECT_EQ(table.cell(0, 1), "x\ny");
  EXPECT_TRUE(table.is_missing(1, 0));
  EXPECT_EQ(table.location(0).line, 3u);
  EXPECT_EQ(table.location(1).line, 5u);
}

TEST(DelimitedReaderTest, RefusesWhatIsNoTable) {
  EXPECT_EQ(
      delimited_error(""),
      "t.csv: an empty file, but a table has at least the names of its columns. The first line names the columns");
  EXPECT_THAT(delimited_error("\n\n"), HasSubstr("t.csv: an empty file"));
  EXPECT_EQ(delimited_error("a,b,a\n"), "t.csv:1: two columns are called 'a'. Give every column its own name");
  EXPECT_EQ(delimited_error("a,b\n1,2\n1,2,3\n"), "t.csv:3: 3 cells, but the header has 2. Quote cells that hold ','");
  EXPECT_EQ(delimited_error("a\tb\n1\n"),
            "t.csv:2: 1 cells, but the header has 2. One tab stands between two cells, and none within a cell");
  EXPECT_THAT(delimited_error("a,b\n1,\xFF\n"), HasSubstr("t.csv:2: byte 3 (0xFF) is not UTF-8"));
  EXPECT_THAT(delimited_error(std::string_view("a,b\n1,\0\n", 9)),
              HasSubstr("t.csv:2: a NUL byte, 2 bytes into the line"));
  EXPECT_THAT(delimited_error("a,b\n1,\"\n\xFF\"\n"), HasSubstr("t.csv:3: byte 1"));
}

TEST(DelimitedReaderTest, RefusesQuotesThatDoNotClose) {
  EXPECT_EQ(delimited_error("a,\"b\n"),
            "t.csv:1: cell 2 has no closing quote. Write a quote inside as two; a row has at most 1048576 bytes");
  EXPECT_EQ(
      delimited_error("a,b\n\n1,2\n\"x\ny\"z,\n"),
      "t.csv:5: cell 1 goes on after its closing quote. Put the whole cell in quotes; write a quote inside as two");
  std::string text = "a,b\nx,\"";
  for (std::size_t i = 0; i < LineReader::kMaxLineBytes / 2; ++i) text += "y\n";
  EXPECT_THAT(delimited_error(text + "\"\n"), HasSubstr("t.csv:2: cell 2 has no closing quote"));
}

}  // namespace
}  // namespace fovea::io
