// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/format/pixels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bitset>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "tests/support/expect_error.h"

namespace fovea::tagging {
namespace {

using Picture = std::bitset<PixelReader::kPixels>;
struct Letter {
  std::string letter;
  Picture picture;
  friend bool operator==(const Letter&, const Letter&) = default;
};
using Word = std::vector<Letter>;

/// One line; `picture` [row][column].
std::string line(std::string_view head, const Picture& picture = {}) {
  std::string text(head);
  for (std::size_t pixel = 0; pixel < PixelReader::kPixels; ++pixel) text += picture[pixel] ? "\t1" : "\t0";
  return text + "\n";
}

std::string write_pixels(const std::vector<Word>& words) {
  std::string text;
  std::size_t id = 7;
  for (std::size_t w = 0; w < words.size(); ++w)
    for (std::size_t t = 0; t < words[w].size(); ++t, ++id) {
      const std::string next = t + 1 < words[w].size() ? std::to_string(id + 1) : "-1";
      text += line(fmt::format("{}\t{}\t{}\t{}\t{}\t0", id, words[w][t].letter, next, w, t + 1), words[w][t].picture);
    }
  return text;
}

std::vector<Word> read_pixels(std::string_view text) {
  PixelReader reader(io::ByteSource::from_memory(text, "memory"));
  std::vector<Word> words;
  for (AttributeSequence sequence; reader.next(sequence);) {
    Word& word = words.emplace_back();
    for (std::size_t t = 0; t < sequence.size(); ++t) {
      Letter letter{std::string(sequence.label(t)), {}};
      for (std::size_t a = 0; a < sequence.attribute_count(t); ++a) {
        const auto [name, value] = sequence.attribute(t, a);
        unsigned row = 0, column = 0;
        EXPECT_EQ(std::sscanf(std::string(name).c_str(), "p_%u_%u", &row, &column), 2) << name;
        EXPECT_EQ(value, 1);
        letter.picture.set(row * PixelReader::kColumns + column);
      }
      word.push_back(letter);
    }
  }
  return words;
}

std::string pixel_error(std::string_view text) {
  return message_of<InputError>([&] { read_pixels(text); });
}

TEST(PixelsTest, ReadsLettersAndTheirBlackPixels) {
  std::string cells(2 * PixelReader::kPixels, '\t');
  for (std::size_t pixel = 0; pixel < PixelReader::kPixels; ++pixel) cells[2 * pixel + 1] = '0';
  cells[2 * 1 + 1] = cells[2 * 127 + 1] = '1';
  // As in the data set: a tab ends the line; and with a carriage return and blank lines.
  const std::string text = "\n4\ta\t5\t2\t1\t0" + cells + "\t\r\n5\tb\t-1\t2\t2\t0" + cells + "\n\n\n";
  PixelReader reader(io::ByteSource::from_memory(text, "memory"));
  AttributeSequence word;
  ASSERT_TRUE(reader.next(word));
  EXPECT_EQ(word.first_line(), 2u);
  ASSERT_EQ(word.size(), 2u);
  EXPECT_EQ(word.label(1), "b");
  EXPECT_EQ(word.origin(1), "2\t2");
  ASSERT_EQ(word.attribute_count(0), 2u);
  EXPECT_EQ(word.attribute(0, 0).name, "p_0_1");
  EXPECT_EQ(word.attribute(0, 1).name, "p_15_7");
  EXPECT_FALSE(reader.next(word));

  PixelValueReader values(io::ByteSource::from_memory(text, "memory"));
  ASSERT_TRUE(values.next(word));
  ASSERT_EQ(word.attribute_count(0), PixelReader::kPixels);
  EXPECT_EQ(word.attribute(0, 0).name, "white_0_0");
  EXPECT_EQ(word.attribute(0, 1).name, "p_0_1");
  EXPECT_EQ(word.attribute(0, 126).name, "white_15_6");
}

TEST(PixelsTest, AnEmptyFileHasNoWord) { EXPECT_EQ(read_pixels("\n\n"), std::vector<Word>{}); }

TEST(PixelsTest, WrongCellsAreRefused) {
  EXPECT_THAT(pixel_error("1\ta\t-1\t1\t1\t0\n"),
              AllOf(StartsWith("memory:1: 6 cells, but a letter has 134"), HasSubstr("one letter a line")));
  const std::string whole = line("1\ta\t-1\t1\t1\t0");
  EXPECT_THAT(pixel_error(whole.substr(0, whole.size() - 3)), HasSubstr("133 cells"));
  EXPECT_THAT(pixel_error(whole.substr(0, whole.size() - 1) + "\t0\n"), HasSubstr("135 cells"));
  for (const char* pixel : {"2", "", "-1", "0.5", "01", "x"})
    EXPECT_THAT(pixel_error(whole + "2\ta\t-1\t1\t1\t0\t" + pixel + whole.substr(14)),
                AllOf(StartsWith("memory:2: column 7: "), HasSubstr(fmt::format("p_0_0 is '{}'", pixel))));
}

TEST(PixelsTest, WrongNumbersAreRefused) {
  for (const char* head :
       {"x\ta\t-1\t1\t1\t0", "-1\ta\t-1\t1\t1\t0", "1\ta\t-2\t1\t1\t0", "1\ta\t\t1\t1\t0", "1\ta\t-1\t1.5\t1\t0",
        "1\ta\t-1\t1\t0\t0", "1\ta\t-1\t1\t1\t-1", "1\ta\t-1\t1\t1\t ", "99999999999999999999\ta\t-1\t1\t1\t0"})
    EXPECT_THAT(pixel_error(line(head)), HasSubstr("must be a whole number, at least")) << head;
  EXPECT_THAT(pixel_error(line("1\t\t-1\t1\t1\t0")), StartsWith("memory:1: column 2: the letter is missing"));
}

TEST(PixelsTest, ChainsThatDoNotFitAreRefused) {
  const std::string first = line("1\ta\t2\t1\t1\t0");
  EXPECT_THAT(pixel_error(first), HasSubstr("the word 1 ends, but its letter 1 says that letter 2 follows"));
  EXPECT_THAT(pixel_error(first + "\n" + line("2\tb\t-1\t1\t2\t0")), StartsWith("memory:2: the word 1 ends"));
  EXPECT_THAT(pixel_error(first + line("3\tb\t-1\t1\t2\t0")),
              StartsWith("memory:2: column 1: letter 3, but the letter 1 before it says that 2 follows"));
  EXPECT_THAT(pixel_error(first + line("2\tb\t-1\t5\t2\t0")), HasSubstr("word 5, but the word 1 goes on here"));
  EXPECT_THAT(pixel_error(first + line("2\tb\t-1\t1\t3\t0")), HasSubstr("position 3 follows position 1"));
  EXPECT_THAT(pixel_error(line("2\tb\t-1\t1\t2\t0")), HasSubstr("a word begins at position 2, not 1"));
}

TEST(PixelsTest, WordsWithoutEndAreRefused) {
  std::string text;
  for (std::size_t i = 0; i <= PixelReader::kMaxWordLetters; ++i)
    text += line(fmt::format("{}\ta\t{}\t1\t{}\t0", i, i + 1, i + 1));
  EXPECT_THAT(pixel_error(text), HasSubstr("a word of more than 10000 letters, from line 1 on"));
}

RC_GTEST_PROP(PixelsTest, WhatIsWrittenIsReadBack, ()) {
  const auto picture = rc::gen::map(rc::gen::container<std::set<unsigned>>(rc::gen::inRange(0u, 128u)), [](auto black) {
    Picture result;
    for (const unsigned pixel : black) result.set(pixel);
    return result;
  });
  const auto text = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'z', ' ', '\xC3')));
  const auto word = rc::gen::nonEmpty(rc::gen::container<Word>(rc::gen::construct<Letter>(text, picture)));
  const auto words = *rc::gen::resize(6, rc::gen::container<std::vector<Word>>(word));
  RC_ASSERT(read_pixels(write_pixels(words)) == words);
}

TEST(PixelsTest, ReadsTheRealLetters) {
  const char* data = std::getenv("FOVEA_DATA");
  const std::string path = std::string(data != nullptr ? data : "data") + "/ocr_letters/fold0.tsv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there; set FOVEA_DATA";
  PixelReader reader{io::ByteSource(path)};
  std::size_t words = 0, letters = 0;
  for (AttributeSequence word; reader.next(word); ++words) letters += word.size();
  EXPECT_EQ(words, 626u);
  EXPECT_EQ(letters, 4617u);
}

}  // namespace
}  // namespace fovea::tagging
