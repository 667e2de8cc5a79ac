// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/linkage/weights/agreement_patterns.h"

namespace fovea::linkage {

/// A few bytes of a text, which bound how similar it is to others.
struct TextSketch {
  std::uint64_t letters = 0;    ///< two bits for each of 32 sorts of characters: whether there is one, and a second
  std::uint32_t beginning = 0;  ///< eight bits of each of the first four characters
  float length = 0;             ///< in characters
};

/// The sketch of a text that is not empty.
TextSketch sketch_of(std::string_view text);

/// Not more than the characters, with repetition, that only one of two texts has.
inline int differing_characters(const TextSketch& a, const TextSketch& b) {
  return std::popcount(a.letters ^ b.letters);
}

/// At least jaro_winkler() of the texts. A character that only one of them has is not a common one.
inline float most_jaro_winkler(const TextSketch& a, const TextSketch& b) {
  constexpr float kPrefixScale = .1F;
  constexpr int kPrefix = 4, kBitsOfACharacter = 8;
  const float differing = static_cast<float>(differing_characters(a, b));
  const float common = std::min((a.length + b.length - differing) / 2, std::min(a.length, b.length));
  const float jaro = (common * (a.length + b.length) / (a.length * b.length) + 1) / 3;
  const int prefix = std::min(std::countr_zero(a.beginning ^ b.beginning) / kBitsOfACharacter, kPrefix);
  return jaro + static_cast<float>(prefix) * kPrefixScale * (1 - jaro);
}

/// At most damerau() of the texts. An edit changes two characters' numbers if it is a replacement; one, and the length,
/// if it is an insertion or deletion; and none if it is a swap.
inline float fewest_edits(const TextSketch& a, const TextSketch& b) {
  return (static_cast<float>(differing_characters(a, b)) + std::max(a.length, b.length) -
          std::min(a.length, b.length)) /
         2;
}

/// Bounds of the levels of Jaro and Winkler's similarity: level l, 2 or more, begins at bounds[l - 2], and the last is
/// for equal texts.
class SimilaritySketcher {
 public:
  using Sketch = TextSketch;
  explicit SimilaritySketcher(std::span<const double> bounds) : bounds_(bounds.begin(), bounds.end()) {}

  Sketch sketch(std::string_view text) const { return sketch_of(text); }
  /// Pairs of a level, or a higher one, have most() of at least this.
  float needed(Level level) const {
    constexpr float kRounding = 1e-5F;
    const auto at = static_cast<std::size_t>(level - 2);
    return (at < bounds_.size() ? static_cast<float>(bounds_[at]) : 1) - kRounding;
  }
  float most(const Sketch& a, const Sketch& b) const { return most_jaro_winkler(a, b); }

 private:
  std::vector<double> bounds_;
};

/// Bounds of the levels of edits: `most_edits`, decreasing, are those of levels 2, 3, ...; equal texts have none.
class EditSketcher {
 public:
  using Sketch = TextSketch;
  explicit EditSketcher(std::vector<double> most_edits) : most_edits_(std::move(most_edits)) {}

  Sketch sketch(std::string_view text) const { return sketch_of(text); }
  float needed(Level level) const {
    const auto at = static_cast<std::size_t>(level - 2);
    return at < most_edits_.size() ? -static_cast<float>(most_edits_[at]) : 0;
  }
  float most(const Sketch& a, const Sketch& b) const { return -fewest_edits(a, b); }

 private:
  std::vector<double> most_edits_;
};

}  // namespace fovea::linkage
