// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/format/pixels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

/// The order of a line's cells; the pixels follow.
enum Cell : std::size_t { kId, kLetter, kNextId, kWord, kPosition, kFold, kFirstPixel };
constexpr std::size_t kCells = kFirstPixel + PixelReader::kPixels;

constexpr const char* kOneLetterALine =
    "Write one letter a line: id, letter, next id, word, position, fold and 16 x 8 pixels, tabs in between";
constexpr const char* kWordsInOrder =
    "Write the letters of a word one after the other, each with the id of the next one, the last with -1";

}  // namespace

PixelReader::PixelReader(io::ByteSource source, bool whites) : lines_(std::move(source)), whites_(whites) {
  for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
    pixel_names_[pixel] = fmt::format("p_{}_{}", pixel / kColumns, pixel % kColumns);
    white_names_[pixel] = fmt::format("white_{}_{}", pixel / kColumns, pixel % kColumns);
  }
}

bool PixelReader::next(AttributeSequence& sequence) {
  if (!skip_blank_lines()) return false;
  sequence.clear(lines_.line_number());
  split();
  Letter letter = parse();
  if (letter.position != 1)
    throw InputError(location(kPosition), fmt::format("a word begins at position {}, not 1", letter.position),
                     kWordsInOrder);
  add(letter, sequence);
  while (letter.next_id != kNoLetter) {
    const Letter before = letter;
    if (!lines_.next() || lines_.line().empty())
      throw InputError(lines_.location(),
                       fmt::format("the word {} ends, but its letter {} says that letter {} follows", before.word,
                                   before.id, before.next_id),
                       kWordsInOrder);
    split();
    letter = parse();
    check_chain(before, letter);
    if (sequence.size() == kMaxWordLetters)
      throw InputError(
          lines_.location(),
          fmt::format("a word of more than {} letters, from line {} on", kMaxWordLetters, sequence.first_line()),
          "End each word with the next id -1");
    add(letter, sequence);
  }
  return true;
}

bool PixelReader::skip_blank_lines() {
  while (lines_.next())
    if (!lines_.line().empty()) return true;
  return false;
}

void PixelReader::split() {
  cells_.clear();
  std::string_view line = lines_.line();
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    cells_.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  if (cells_.size() != kCells)
    throw InputError(lines_.location(), fmt::format("{} cells, but a letter has {}", cells_.size(), kCells),
                     kOneLetterALine);
}

PixelReader::Letter PixelReader::parse() const {
  if (cells_[kLetter].empty()) throw InputError(location(kLetter), "the letter is missing", kOneLetterALine);
  number(kFold, "fold", 0);
  return {.id = number(kId, "id", 0),
          .next_id = number(kNextId, "next id", kNoLetter),
          .word = number(kWord, "word", 0),
          .position = number(kPosition, "position", 1),
          .letter = cells_[kLetter]};
}

std::int64_t PixelReader::number(std::size_t cell, std::string_view name, std::int64_t least) const {
  const std::string_view text = cells_[cell];
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least)
    throw InputError(location(cell), fmt::format("the {} '{}' must be a whole number, at least {}", name, text, least),
                     kOneLetterALine);
  return value;
}

void PixelReader::check_chain(const Letter& before, const Letter& letter) const {
  if (letter.id != before.next_id)
    throw InputError(location(kId),
                     fmt::format("letter {}, but the letter {} before it says that {} follows", letter.id, before.id,
                                 before.next_id),
                     kWordsInOrder);
  if (letter.word != before.word)
    throw InputError(location(kWord), fmt::format("word {}, but the word {} goes on here", letter.word, before.word),
                     kWordsInOrder);
  if (letter.position - 1 != before.position)
    throw InputError(location(kPosition),
                     fmt::format("position {} follows position {}", letter.position, before.position), kWordsInOrder);
}

void PixelReader::add(const Letter& letter, AttributeSequence& sequence) {
  origin_.clear();
  fmt::format_to(std::back_inserter(origin_), "{}\t{}", letter.word, letter.position);
  sequence.add_item(letter.letter, origin_);
  for (std::size_t pixel = 0; pixel < kPixels; ++pixel) {
    const std::string_view cell = cells_[kFirstPixel + pixel];
    if (cell != "0" && cell != "1")
      throw InputError(location(kFirstPixel + pixel),
                       fmt::format("pixel {} is '{}', but must be 0 or 1", pixel_names_[pixel], cell), kOneLetterALine);
    if (cell == "1") sequence.add_attribute(pixel_names_[pixel], 1);
    else if (whites_) sequence.add_attribute(white_names_[pixel], 1);
  }
}

InputLocation PixelReader::location(std::size_t cell) const {
  InputLocation where = lines_.location();
  where.column = cell + 1;
  return where;
}

}  // namespace fovea::tagging
