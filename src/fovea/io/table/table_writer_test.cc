// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table_writer.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "fovea/io/output_file.h"
#include "fovea/io/table/delimited_reader.h"
#include "fovea/io/table/json_lines_reader.h"
#include "tests/support/expect_error.h"
#include "tests/support/text_files.h"

namespace fovea::io {
namespace {

using testing::written;

using Rows = std::vector<std::vector<std::string>>;

std::string row_text(std::vector<std::string_view> cells, char delimiter) {
  std::string text;
  append_delimited_row(cells, delimiter, text);
  return text;
}

/// `rows` as `make_writer` of their file writes them below the columns "a" and "b".
template <class MakeWriter>
std::string text_of(const Rows& rows, const MakeWriter& make_writer) {
  std::string bytes;
  const std::unique_ptr<TableWriter> writer =
      make_writer(OutputFile::to_memory(bytes), std::vector<std::string>{"a", "b"});
  for (const auto& row : rows) writer->add_row(std::vector<std::string_view>(row.begin(), row.end()));
  writer->finish();
  return bytes;
}

Rows rows_of(const Table& table) {
  Rows rows(table.row_count());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < table.column_count(); ++c) rows[r].emplace_back(table.cell(r, c));
  return rows;
}

/// Rows of two cells with awkward characters; a carriage return and a line end do not survive side by side.
Rows awkward_rows() {
  const auto piece = rc::gen::element<std::string>(",", ";", "\"", "\n", "\r.", " ", "\t", "é", "a", "\xEF\xBB\xBF");
  const auto cell = rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto& pieces) {
    std::string text;
    for (const std::string& p : pieces) text += p;
    return text;
  });
  return *rc::gen::container<Rows>(rc::gen::container<std::vector<std::string>>(2, cell));
}

/// Such a name would be taken for a line that names the separator.
TEST(TextTableWriterTest, AnOnlyColumnCalledLikeASeparatorIsReadBack) {
  for (const char delimiter : {',', '\t'}) {
    std::string bytes;
    const std::vector<std::string> columns = {"sep=;"};
    const auto writer = make_delimited_writer(OutputFile::to_memory(bytes), columns, delimiter);
    writer->add_row(std::vector<std::string_view>{"a"});
    writer->finish();
    const Table table = read_delimited(LineReader(ByteSource::from_memory(bytes, "t")));
    EXPECT_EQ(table.columns(), columns);
    EXPECT_EQ(rows_of(table), (Rows{{"a"}}));
  }
}

RC_GTEST_PROP(TextTableWriterTest, DelimitedRowsAreReadBack, ()) {
  const Rows rows = awkward_rows();
  const char delimiter = *rc::gen::element(',', ';', '|');
  const std::string text = text_of(rows, [&](auto output, const auto& columns) {
    return make_delimited_writer(std::move(output), columns, delimiter);
  });
  RC_ASSERT(rows_of(read_delimited(LineReader(ByteSource::from_memory(text, "t")))) == rows);
}

RC_GTEST_PROP(TextTableWriterTest, JsonLinesAreReadBack, ()) {
  Rows rows = awkward_rows();
  const std::string text = text_of(
      rows, [](auto output, const auto& columns) { return make_json_lines_writer(std::move(output), columns); });
  if (!rows.empty()) RC_ASSERT(rows_of(read_json_lines(LineReader(ByteSource::from_memory(text, "t")))) == rows);
}

TEST(TextTableWriterTest, QuotesWhatNeedsIt) {
  EXPECT_EQ(row_text({"plain", "", "with, comma", "say \"hi\"", " x", "a\nb", "semi;colon"}, ','),
            "plain,,\"with, comma\",\"say \"\"hi\"\"\",\" x\",\"a\nb\",semi;colon\n");
  EXPECT_EQ(row_text({""}, ','), "\"\"\n") << "an empty line would be no row";
  EXPECT_EQ(row_text({"\xEF\xBB\xBFx"}, ','), "\"\xEF\xBB\xBFx\"\n") << "a mark in front of a file would be lost";
  EXPECT_EQ(row_text({"a b", "\"", ","}, '\t'), "a b\t\"\t,\n");
}

TEST(TextTableWriterTest, JsonKeepsMissingCellsApart) {
  EXPECT_EQ(
      text_of({{"1", "\"\\\x01"}, {"", "é"}},
              [](auto output, const auto& columns) { return make_json_lines_writer(std::move(output), columns); }),
      "{\"a\":\"1\",\"b\":\"\\\"\\\\\\u0001\"}\n{\"a\":null,\"b\":\"é\"}\n");
}

TEST(TextTableWriterTest, TabsHoldNoTabsAndNoLineEnds) {
  for (const char* cell : {"a\tb", "a\nb", "a\r", "\xEF\xBB\xBFx"})
    EXPECT_THAT(message_of<InputError>([&] {
                  row_text({"x", cell}, '\t');
                }),
                HasSubstr("holds a tab, a line end or a byte order mark"));
  EXPECT_THAT(message_of<InputError>([] { row_text({""}, '\t'); }), HasSubstr("would be an empty line"));
}

TEST(TableWriterTest, SeveralThreadsWriteWhatOneWrites) {
  constexpr std::size_t kRows = 5000;
  const auto make = [](std::size_t row, TableWriter::Row& made) {
    made.own = row % 7 == 3 ? "a \"quoted\", cell" : std::to_string(row);
    made.cells = {made.own, ""};
    made.json = {row % 7 == 3 ? "" : std::string_view(made.own), ""};
  };
  for (const bool is_json : {false, true}) {
    std::string expected;
    for (int threads : {0, 1, 2, 7}) {
      std::string bytes;
      const std::vector<std::string> columns = {"a", "b"};
      OutputFile output = OutputFile::to_memory(bytes);
      const auto writer = is_json ? make_json_lines_writer(std::move(output), columns)
                                  : make_delimited_writer(std::move(output), columns, ',');
      if (threads == 0) {
        for (std::size_t row = 0; row < kRows; ++row) {
          TableWriter::Row made;
          make(row, made);
          writer->add_row(made.cells, made.json);
        }
      } else {
        writer->add_rows(kRows, make, threads);
      }
      writer->finish();
      if (threads == 0) expected = bytes;
      EXPECT_TRUE(bytes == expected) << threads;
    }
    EXPECT_GT(expected.size(), 5 * kRows);
  }
}

}  // namespace
}  // namespace fovea::io
