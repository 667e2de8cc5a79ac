// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/gestures/keyboard.h"
#include "fovea/gestures/word_trie.h"

namespace fovea::gestures {

/// Role of an observation x_i in the word: it starts a letter c, continues one (-c), or belongs to none (#).
/// Steinhardt and Liang (2015), section 5. The word y consists of the letters that are started, in order.
using AlignmentLabel = std::uint8_t;
inline constexpr AlignmentLabel kUnaligned = 0;
inline constexpr std::size_t kAlignmentLabels = 1 + 2 * kKeyCount;
inline AlignmentLabel start_label(Key letter) { return static_cast<AlignmentLabel>(1 + letter); }
inline AlignmentLabel continue_label(Key letter) { return static_cast<AlignmentLabel>(1 + kKeyCount + letter); }
inline bool starts_letter(AlignmentLabel label) { return 1 <= label && label <= kKeyCount; }
inline Key started_letter(AlignmentLabel label) { return static_cast<Key>(label - 1); }

/// Layout of the weights of both chains in one array: first those of u, then, separate from them (assumption 4.3),
/// those of A. Both have indicators of (x_i, z_i), (x_i, z_{i-1}, z_i) and (x_{i-1}, x_i, z_i). A also has indicators
/// of (x_i, letter before it, letter) where a letter starts, and three weights of the whole word.
struct AlignmentWeightIndex {
  static constexpr std::size_t kKeyLabels = kKeyCount * kAlignmentLabels;
  static constexpr std::size_t kLabelPairs = kKeyLabels * kAlignmentLabels;
  static constexpr std::size_t kKeyPairs = kKeyCount * kKeyLabels;
  static constexpr std::size_t kStart = kKeyLabels + kLabelPairs + kKeyPairs;  ///< number of weights of u
  static constexpr Key kNoLetter = kKeyCount;                                  ///< before the first letter
  static constexpr std::size_t kLetters = 2 * kStart;
  static constexpr std::size_t kWord = kLetters + kKeyCount * (kKeyCount + 1) * kKeyCount;
  static constexpr std::size_t kInDictionary = kWord, kLogFrequency = kWord + 1, kPrefixes = kWord + 2;
  static constexpr std::size_t kCount = kWord + 3;

  /// Indices of the weights of u; those of A lie kStart further on.
  static std::size_t key_label(Key x, AlignmentLabel z) { return x * kAlignmentLabels + z; }
  static std::size_t label_pair(Key x, AlignmentLabel before, AlignmentLabel z) {
    return kKeyLabels + (x * kAlignmentLabels + before) * kAlignmentLabels + z;
  }
  static std::size_t key_pair(Key before, Key x, AlignmentLabel z) {
    return kKeyLabels + kLabelPairs + (before * std::size_t{kKeyCount} + x) * kAlignmentLabels + z;
  }
  static std::size_t letters(Key x, Key before, Key letter) {
    return kLetters + (x * std::size_t{kKeyCount + 1} + before) * kKeyCount + letter;
  }
};

/// Parameters that determine, together with a dictionary, how gestures are read.
struct AlignmentParameters {
  /// In key widths: an observation may be a letter whose key's centre is within this distance of its own (our addition,
  /// for speed: 4 .. 7 letters instead of 26; a word that has a letter with no observation near it cannot be read).
  float radius = 1.5F;
  double epsilon = .05;        ///< probability of a restart, in (0, 1]
  std::vector<float> weights;  ///< [AlignmentWeightIndex]

  AlignmentParameters() : weights(AlignmentWeightIndex::kCount) {}

  /// True if A has been trained: else all its weights are 0.
  bool has_chain() const {
    return std::any_of(weights.begin() + AlignmentWeightIndex::kStart, weights.end(), [](float w) { return w != 0; });
  }
};

}  // namespace fovea::gestures
