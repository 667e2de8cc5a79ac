// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/format/conll.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/data.h"
#include "tests/support/expect_error.h"

namespace fovea::tagging {
namespace {

/// [sequence][item][column]
using ColumnsOfSentences = std::vector<std::vector<std::vector<std::string>>>;

std::vector<std::vector<std::string>> cells_of(const ItemSequence& sequence) {
  std::vector<std::vector<std::string>> rows(sequence.size());
  for (std::size_t t = 0; t < sequence.size(); ++t)
    for (std::size_t c = 0; c < sequence.column_count(); ++c) rows[t].emplace_back(sequence.cell(t, c));
  return rows;
}

ColumnsOfSentences read_conll(const std::string& text) {
  ConllReader reader(io::ByteSource::from_memory(text, "memory"));
  ColumnsOfSentences table;
  for (ItemSequence sequence; reader.next(sequence);) table.push_back(cells_of(sequence));
  return table;
}

std::string conll_read_error(const std::string& text) {
  return message_of<InputError>([&] { read_conll(text); });
}

/// `text` read and written again, each item with `columns` added.
std::string rewrite(const std::string& text, const std::vector<std::string_view>& columns) {
  std::string bytes;
  ConllReader reader(io::ByteSource::from_memory(text, "memory"));
  for (ItemSequence sequence; reader.next(sequence);) {
    std::vector<std::string_view> cells;
    for (std::size_t t = 0; t < sequence.size(); ++t) cells.insert(cells.end(), columns.begin(), columns.end());
    ConllWriter(bytes, reader.format()).write(sequence, cells);
  }
  ConllWriter(bytes, reader.format()).write_blank_lines(reader.blank_lines_after());
  return bytes;
}

TEST(ConllTest, BlankLinesSeparateSequences) {
  EXPECT_EQ(read_conll("a N\nb V\n\nc N\n"), (ColumnsOfSentences{{{"a", "N"}, {"b", "V"}}, {{"c", "N"}}}));
  EXPECT_EQ(read_conll("\n \n\na\n\t\n\n\nb"), (ColumnsOfSentences{{{"a"}}, {{"b"}}}));
  EXPECT_EQ(read_conll(""), ColumnsOfSentences{});
  EXPECT_EQ(read_conll("\n\n"), ColumnsOfSentences{});
}

TEST(ConllTest, CellsAreCutAtRunsOfBlanks) {
  EXPECT_EQ(read_conll(" a  b c \nd\te \tf"), (ColumnsOfSentences{{{"a", "b", "c"}, {"d", "e", "f"}}}));
}

TEST(ConllTest, ATabInTheFirstLineMeansTabsOnly) {
  EXPECT_EQ(read_conll("New York\tN\n\nx y \t\n \tz"),
            (ColumnsOfSentences{{{"New York", "N"}}, {{"x y ", ""}, {" ", "z"}}}));
}

TEST(ConllTest, WhoKnowsTheSeparatorSaysSo) {
  const auto read = [](const std::string& text, ColumnSeparator separator, ConllFormat& format) {
    ConllReader reader(io::ByteSource::from_memory(text, "memory"), separator);
    ItemSequence sequence;
    reader.next(sequence);
    format = reader.format();
    return cells_of(sequence);
  };
  using Rows = std::vector<std::vector<std::string>>;
  ConllFormat format;
  EXPECT_EQ(read("New York\n", ColumnSeparator::kTabs, format), (Rows{{"New York"}}));
  EXPECT_EQ(format.separator, '\t');
  EXPECT_EQ(read("a b\tc\n", ColumnSeparator::kBlanks, format), (Rows{{"a", "b", "c"}}));
  EXPECT_EQ(format.separator, '\t');
  EXPECT_EQ(read("a b\n", ColumnSeparator::kBlanks, format), (Rows{{"a", "b"}}));
  EXPECT_EQ(format.separator, ' ');
  EXPECT_THAT(message_of<InputError>([&] { read("a\tb\nc d\n", ColumnSeparator::kTabs, format); }),
              HasSubstr("as in the model's training"));
}

TEST(ConllTest, NoLineIsAComment) { EXPECT_EQ(read_conll("# x\n"), (ColumnsOfSentences{{{"#", "x"}}})); }

TEST(ConllTest, RawBytesSurvive) {
  EXPECT_EQ(read_conll("caf\xC3\xA9 \xFF\xFE\x01\n"), (ColumnsOfSentences{{{"caf\xC3\xA9", "\xFF\xFE\x01"}}}));
}

TEST(ConllTest, AByteOrderMarkIsNoPartOfTheFirstCell) {
  EXPECT_EQ(read_conll("\xEF\xBB\xBF"
                       "a N\n\xEF\xBB\xBF"
                       "b N"),
            (ColumnsOfSentences{{{"a", "N"}, {"b", "N"}}}));
  EXPECT_EQ(read_conll("\xEF\xBB\xBF\na\n"), (ColumnsOfSentences{{{"a"}}}));
  EXPECT_EQ(read_conll("\xEF\xBB\xBF"), ColumnsOfSentences{});
}

TEST(ConllTest, SequencesKnowTheirLines) {
  ConllReader reader(io::ByteSource::from_memory("\na N\n\n\n\nb N\nc N", "memory"));
  ItemSequence sequence;
  ASSERT_TRUE(reader.next(sequence));
  EXPECT_EQ(sequence.first_line(), 2u);
  EXPECT_EQ(sequence.blank_lines_before(), 1u);
  EXPECT_TRUE(sequence.has_blank_line_after());
  ASSERT_TRUE(reader.next(sequence));
  EXPECT_EQ(sequence.first_line(), 6u);
  EXPECT_EQ(sequence.blank_lines_before(), 2u);
  EXPECT_FALSE(sequence.has_blank_line_after());
  EXPECT_EQ(sequence.line(1), "c N");
  EXPECT_EQ(reader.column_count(), 2u);
  EXPECT_FALSE(reader.next(sequence));
}

TEST(ConllTest, RaggedColumnsAreRefusedWithBothCounts) {
  EXPECT_THAT(conll_read_error("a N O\nb N\n"),
              AllOf(StartsWith("memory:2: ragged columns: this line has 2, but line 1 has 3"),
                    HasSubstr("separated by spaces or tabs")));
  EXPECT_THAT(conll_read_error("a N\n\nb N O\n"),
              StartsWith("memory:3: ragged columns: this line has 3, but line 1 has 2"));
  EXPECT_THAT(conll_read_error("a\tN\nb N\n"),
              AllOf(HasSubstr("this line has 1, but line 1 has 2"), HasSubstr("single tabs")));
}

TEST(ConllTest, MissingBlankLinesAreRefused) {
  std::string text;
  for (std::size_t i = 0; i <= ConllReader::kMaxSequenceItems; ++i) text += "a\n";
  EXPECT_THAT(conll_read_error("b\n\n" + text),
              AllOf(StartsWith("memory:4194307: a sequence of more than 4194304 items"), HasSubstr("from line 3 on")));
}

TEST(ConllTest, WritingKeepsLinesAndAddsColumns) {
  EXPECT_EQ(rewrite("a  N\nb V\n\n\nc N\n", {"O"}), "a  N O\nb V O\n\n\nc N O\n");
  EXPECT_EQ(rewrite("a b\tN\n", {"O", ".5"}), "a b\tN\tO\t.5\n");
  EXPECT_EQ(rewrite("\r\na N\r\n\r\n\r\n", {"O"}), "\r\na N O\r\n\r\n\r\n");
  EXPECT_EQ(rewrite("a N", {"O"}), "a N O\n");
  EXPECT_EQ(rewrite("\n\n", {"O"}), "\n\n");
  EXPECT_EQ(rewrite("", {"O"}), "");
}

RC_GTEST_PROP(ConllTest, WritingNothingMoreGivesTheInputBack, ()) {
  const auto line = rc::gen::element<std::string>("a N O", "b  N\tO ", "\xC3\xA9 \xFF #", "", "", "");
  const auto lines = *rc::gen::container<std::vector<std::string>>(line);
  const std::string end = *rc::gen::element<std::string>("\n", "\r\n");
  std::string text = "first N O" + end;  // fixes the format
  for (const std::string& l : lines) text += l + end;
  RC_ASSERT(rewrite(text, {}) == text);
}

TEST(ConllTest, ReadsTheSharedTaskData) {
  FOVEA_DATA_OR_SKIP(path, "ner_conll2003/dev.txt.gz");
  ConllReader reader{io::ByteSource(path)};
  std::size_t sequences = 0, items = 0;
  for (ItemSequence sequence; reader.next(sequence); ++sequences) items += sequence.size();
  EXPECT_EQ(sequences, 3466u);
  EXPECT_EQ(items, 51578u);
  EXPECT_EQ(reader.column_count(), 4u);
}

}  // namespace
}  // namespace fovea::tagging
