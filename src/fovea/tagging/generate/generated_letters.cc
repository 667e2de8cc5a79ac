// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/generate/generated_letters.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace fovea::tagging {
namespace {

constexpr int kRows = PixelReader::kRows, kColumns = PixelReader::kColumns;

struct Point {
  int row = 0, column = 0;
};

/// Draws a point that is not on the border, so that a displaced glyph is still whole.
Point draw_point(Random& random) {
  const int row = 1 + static_cast<int>(random.uniform_index(kRows - 2));
  return {row, 1 + static_cast<int>(random.uniform_index(kColumns - 2))};
}

void draw_stroke(Point from, Point to, GeneratedLetters::Picture& picture) {
  constexpr int kSteps = 2 * kRows;
  for (int step = 0; step <= kSteps; ++step) {
    const double share = static_cast<double>(step) / kSteps;
    const auto row = static_cast<int>(std::lround(from.row + share * (to.row - from.row)));
    const auto column = static_cast<int>(std::lround(from.column + share * (to.column - from.column)));
    picture.set(static_cast<std::size_t>(row * kColumns + column));
  }
}

/// The picture moved by `by` rows and columns; what leaves it is lost.
GeneratedLetters::Picture displaced(const GeneratedLetters::Picture& picture, Point by) {
  GeneratedLetters::Picture result;
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) {
      const Point from{row - by.row, column - by.column};
      if (from.row < 0 || from.row >= kRows || from.column < 0 || from.column >= kColumns) continue;
      result[static_cast<std::size_t>(row * kColumns + column)] =
          picture[static_cast<std::size_t>(from.row * kColumns + from.column)];
    }
  return result;
}

std::string draw_spelling(Random random) {
  using Letters = GeneratedLetters;
  std::string word(Letters::kShortest + random.uniform_index(Letters::kLongest - Letters::kShortest + 1), 'a');
  for (char& letter : word) letter = static_cast<char>('a' + random.uniform_index(Letters::kLetters));
  return word;
}

}  // namespace

GeneratedLetters::GeneratedLetters(const LettersOptions& options, const Random& hand) : options_(options), hand_(hand) {
  validate(options);
  for (std::size_t letter = 0; letter < kLetters; ++letter) glyphs_[letter] = draw_glyph(hand.child("glyph", letter));
  for (std::uint64_t word = 0; word < kVocabulary; ++word)
    vocabulary_.push_back(draw_spelling(hand.child("word", word)));
}

/// Draws four strokes without lifting the pen.
GeneratedLetters::Picture GeneratedLetters::draw_glyph(Random random) {
  constexpr int kStrokes = 4;
  Picture picture;
  Point from = draw_point(random);
  for (int stroke = 0; stroke < kStrokes; ++stroke) {
    const Point to = draw_point(random);
    draw_stroke(from, to, picture);
    from = to;
  }
  return picture;
}

GeneratedLetters::Picture GeneratedLetters::write(std::size_t letter, Random& random) const {
  const int down = static_cast<int>(random.uniform_index(3)) - 1;
  Picture picture = displaced(glyphs_[letter], {down, static_cast<int>(random.uniform_index(3)) - 1});
  for (std::size_t pixel = 0; pixel < picture.size(); ++pixel)
    if (random.bernoulli(options_.noise)) picture.flip(pixel);
  return picture;
}

void GeneratedLetters::append_word(std::uint64_t index, std::string& text) const {
  Random random = hand_.child("part", options_.part).child("written word", index);
  const std::string& word = vocabulary_[random.uniform_index(kVocabulary)];
  for (std::size_t t = 0; t < word.size(); ++t) {
    const std::uint64_t id = index * (kLongest + 1) + t + 1;
    const std::string next = t + 1 < word.size() ? std::to_string(id + 1) : "-1";
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}", id, word[t], next, index + 1, t + 1,
                   options_.part);
    const Picture picture = write(static_cast<std::size_t>(word[t] - 'a'), random);
    for (std::size_t pixel = 0; pixel < picture.size(); ++pixel) text += picture[pixel] ? "\t1" : "\t0";
    text += '\n';
  }
  text += '\n';
}

}  // namespace fovea::tagging
