// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/io/stream.h"
#include "fovea/tagging/feature/attribute_sequence.h"

namespace fovea::tagging {

/// Reads words of handwritten letters, in the format of the OCR data set of Kassel and Taskar: one letter a line, its
/// cells separated by tabs (one more tab may end the line),
///
///   id  letter  next-id  word  position  fold  p_0_0  p_0_1 ... p_15_7
///
/// Pixels are 0 or 1, [row][column], kRows x kColumns of them. A word's letters follow each other, each next-id is the
/// id of the next line and -1 ends the word; positions count from 1, all letters of a word name the same word. Blank
/// lines between words are skipped.
///
/// An item has the letter as its label and one attribute for each black pixel, `p_ROW_COLUMN` as in the data set's own
/// description, of value 1; if asked for, also one for each white pixel, `white_ROW_COLUMN`. Its origin is
/// `word<TAB>position`.
class PixelReader {
 public:
  using Sequence = AttributeSequence;

  static constexpr std::size_t kRows = 16, kColumns = 8;
  static constexpr std::size_t kPixels = kRows * kColumns;
  /// Limit of a word; a longer one is refused, because its end must be missing.
  static constexpr std::size_t kMaxWordLetters = 10000;

  /// `whites`: white pixels have attributes too.
  explicit PixelReader(io::ByteSource source, bool whites = false);

  /// Reads the next word, which has at least one letter; false at the end of the file. Throws InputError (file:line) on
  /// what the format above rules out and on what LineReader refuses.
  bool next(AttributeSequence& sequence);

  const std::string& name() const { return lines_.name(); }
  /// The line read last.
  InputLocation location() const { return lines_.location(); }

 private:
  /// The cells of a line other than its pixels; the letter is a view into the line.
  struct Letter {
    std::int64_t id = 0, next_id = 0, word = 0, position = 0;
    std::string_view letter;
  };
  static constexpr std::int64_t kNoLetter = -1;

  bool skip_blank_lines();
  void split();
  Letter parse() const;
  std::int64_t number(std::size_t cell, std::string_view name, std::int64_t least) const;
  void check_chain(const Letter& before, const Letter& letter) const;
  void add(const Letter& letter, AttributeSequence& sequence);
  InputLocation location(std::size_t cell) const;

  io::LineReader lines_;
  std::array<std::string, kPixels> pixel_names_, white_names_;
  bool whites_;
  std::vector<std::string_view> cells_;  // of the current line
  std::string origin_;                   // scratch
};

/// The same with attributes for both values of each pixel.
class PixelValueReader : public PixelReader {
 public:
  explicit PixelValueReader(io::ByteSource source) : PixelReader(std::move(source), true) {}
};

}  // namespace fovea::tagging
