// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/format/sequence_parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::tagging {
namespace {

/// Reads a text, and returns its lines with their numbers and its blank lines, or the error that ends it.
std::string read_in_parts(const std::string& text, int threads, std::size_t count) {
  std::string seen;
  try {
    SequenceParts<ConllReader> parts(io::ByteSource::from_memory(text, "text"), threads);
    SequenceParts<ConllReader>::Part part;
    while (parts.read(part, count)) {
      parts.parse(part);
      parts.finish(part);
      EXPECT_LE(part.count, count);
      for (std::size_t s = 0; s < part.count; ++s) {
        const ItemSequence& sequence = part.sequences[s];
        seen += fmt::format("{} blank, line {}\n", sequence.blank_lines_before(), sequence.first_line());
        for (std::size_t t = 0; t < sequence.size(); ++t)
          seen += fmt::format("{}: {} cells\n", sequence.line(t), sequence.column_count());
        seen += sequence.has_blank_line_after() ? "ended\n" : "";
      }
    }
    parts.finish();
    return seen + fmt::format("{} blank", parts.blank_lines_after());
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string read_attributes_in_parts(const std::string& text, int threads, std::size_t count) {
  std::string seen;
  try {
    SequenceParts<CrfsuiteReader> parts(io::ByteSource::from_memory(text, "text"), threads);
    SequenceParts<CrfsuiteReader>::Part part;
    while (parts.read(part, count)) {
      parts.parse(part);
      parts.finish(part);
      for (std::size_t s = 0; s < part.count; ++s) {
        seen += fmt::format("line {}\n", part.sequences[s].first_line());
        append_crfsuite(part.sequences[s], seen);
      }
    }
    parts.finish();
    return seen;
  } catch (const InputError& error) {
    return error.what();
  }
}

/// Sequences with blank lines of every kind between them, and with `bad`, a line of another kind, somewhere if that is
/// not empty.
std::string random_text(Random& random, const std::string& line, const std::string& bad) {
  const std::string ends[] = {"\n", "\r\n"};
  const std::string end = ends[random.uniform_index(2)];
  const std::uint32_t lines = random.uniform_index(40), bad_line = random.uniform_index(lines + 1);
  std::string text;
  for (std::uint32_t i = 0; i < lines; ++i) {
    if (i == bad_line) text += bad;
    else if (random.uniform_index(3) > 0) text += fmt::format(fmt::runtime(line), i);
    text += end;
  }
  if (random.uniform_index(2) == 0) text += "last line";
  return text;
}

TEST(SequencePartsTest, ColumnsReadTheSameInPartsOfAnySize) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::string bad = round % 3 == 0 ? "ragged" : round % 3 == 1 ? " \t" : "";
    const std::string text = random_text(random, "{} x", bad);
    const std::string whole = read_in_parts(text, 1, 1000);
    for (const std::size_t count : {1, 2, 3, 1000}) {
      EXPECT_EQ(read_in_parts(text, 1, count), whole) << text;
      EXPECT_EQ(read_in_parts(text, 4, count), whole) << text;
    }
    EXPECT_EQ(read_in_parts(text, 4, SequenceParts<ConllReader>::kWholeFile), whole) << text;
  }
}

TEST(SequencePartsTest, AttributesReadTheSameInPartsOfAnySize) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random, round % 2 == 0 ? "A\tx:{}" : "A", round % 3 == 0 ? "A\tx:y" : "");
    const std::string whole = read_attributes_in_parts(text, 1, 1000);
    for (const std::size_t count : {1, 2, 3, 1000}) EXPECT_EQ(read_attributes_in_parts(text, 4, count), whole) << text;
  }
}

TEST(SequencePartsTest, LabelsAloneAreRefusedOnlyIfTheWholeFileHasNoTab) {
  EXPECT_EQ(read_attributes_in_parts("A\n\nB\n\n", 4, 1),
            "text: no line holds a tab, so no item has an attribute. Write label<TAB>attribute<TAB>...; a label that "
            "holds a blank and has no attribute needs a tab after it");
  EXPECT_EQ(read_attributes_in_parts("A\n\nB\tx\n\n", 4, 1), "line 1\nA\t\n\nline 3\nB\tx\n\n");
}

TEST(SequencePartsTest, LongLinesAreRefusedWhereTheyAre) {
  const std::string text = "a b\n\nc " + std::string(3 * io::LineReader::kMaxLineBytes, 'x') + "\n";
  EXPECT_EQ(read_in_parts(text, 4, 1), read_in_parts(text, 1, 1));
  EXPECT_EQ(read_in_parts(text, 4, 1).substr(0, 7), "text:3:");
}

}  // namespace
}  // namespace fovea::tagging
