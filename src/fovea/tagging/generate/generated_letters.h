// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/tagging/format/pixels.h"

namespace fovea::tagging {

struct LettersOptions {
  int words = 600;
  double noise = 0.08;
  std::uint64_t part = 0;

  static void describe(auto&& visit) {
    using O = LettersOptions;
    visit(&O::words, number_in(1, 1e9, "words", "Words to write."));
    visit(&O::noise, number_in(0, 0.5, "noise", "Probability that a pixel is flipped."));
    visit(&O::part,
          OptionInfo{.name = "part",
                     .description = "Number of an independent sample, also its fold: for example 0 to test, 1 to "
                                    "train.",
                     .max = 1e6});
  }
};

/// Made-up handwriting with the traits of the OCR data set that matter: 26 letters drawn as a few strokes on 16 x 8
/// pixels, each time slightly displaced and with some pixels flipped, and few distinct words, so that a letter's
/// neighbours say much about it.
///
/// Glyphs and vocabulary are functions of the hand alone; a written word is a function of (hand, options, index).
class GeneratedLetters {
 public:
  static constexpr std::uint32_t kLetters = 26, kVocabulary = 60, kShortest = 3, kLongest = 9;
  using Picture = std::bitset<PixelReader::kPixels>;  ///< [row][column], true is black

  /// Draws only from children of `hand`, whose seed names the hand and its words. Throws UsageError unless
  /// validate(options) holds.
  GeneratedLetters(const LettersOptions& options, const Random& hand);

  std::uint64_t word_count() const { return static_cast<std::uint64_t>(options_.words); }
  const std::vector<std::string>& vocabulary() const { return vocabulary_; }

  /// Appends one written word as PixelReader reads it, a line a letter, and a blank line. `index` may exceed
  /// word_count().
  void append_word(std::uint64_t index, std::string& text) const;

 private:
  static Picture draw_glyph(Random random);
  Picture write(std::size_t letter, Random& random) const;

  LettersOptions options_;
  Random hand_;
  std::array<Picture, kLetters> glyphs_;
  std::vector<std::string> vocabulary_;
};

}  // namespace fovea::tagging
