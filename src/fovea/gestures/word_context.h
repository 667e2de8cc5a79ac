// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/gestures/word_trie.h"

namespace fovea::gestures {

/// Probabilities of words after the two words before them, learned from text: interpolated absolute discounting (Ney,
/// Essen, Kneser 1994, "On structuring probabilistic dependences in stochastic language modelling"),
///
///   p(w | u, v) = max(c(u v w) - d, 0) / c(u v) + d n(u v) / c(u v) p(w | v)
///   p(w | v)    = max(c(v w) - d, 0) / c(v)     + d n(v) / c(v)     p(w)
///
/// where c counts, n is the number of different words that follow, d = .75 and p(w) is the word's share of the
/// dictionary.
class WordContext {
 public:
  static constexpr std::uint32_t kUnknown = WordTrie::kNone;  ///< a word that the dictionary lacks, or none

  /// A word after one or two others: `first` is kUnknown for a word after one.
  struct Gram {
    std::uint32_t first, second, word, count;

    bool operator==(const Gram&) const = default;
    auto operator<=>(const Gram&) const = default;
  };
  /// The last two words before, the nearest last.
  struct Before {
    std::uint32_t first = kUnknown, second = kUnknown;
  };

  WordContext() = default;
  /// Counts those of sentences: numbers of words, kUnknown for those that are not known.
  explicit WordContext(std::span<const std::vector<std::uint32_t>> sentences);
  /// From grams as grams() gives them: ascending, each once.
  explicit WordContext(std::vector<Gram> grams) : grams_(std::move(grams)) {}

  bool empty() const { return grams_.empty(); }
  const std::vector<Gram>& grams() const { return grams_; }

  /// log p(word | before), given the log of the word's share of the dictionary.
  double log_probability(std::uint32_t word, const Before& before, double log_frequency) const;
  /// The `count` words that followed these most often, the most frequent first.
  std::vector<std::uint32_t> followers(const Before& before, std::size_t count) const;

 private:
  std::span<const Gram> after(std::uint32_t first, std::uint32_t second) const;

  std::vector<Gram> grams_;
};

/// The sentences of a text, as numbers of words: a line, or a part of it up to . ! or ?, is a sentence. Case does not
/// count. Throws InputError if the file cannot be read.
std::vector<std::vector<std::uint32_t>> read_sentences(const std::string& path, const WordTrie& words);

}  // namespace fovea::gestures
