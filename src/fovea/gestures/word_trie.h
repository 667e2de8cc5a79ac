// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/gestures/keyboard.h"
#include "fovea/io/stream.h"

namespace fovea::gestures {

/// A word and its count.
struct CountedWord {
  std::string word;
  double count = 0;
};

/// Reads at most `limit` lines `word <tab> count` (0 reads all); further cells are ignored. Throws InputError
/// (file:line) for a word without letters a .. z (typed_letters), a count that is not positive, a word given twice, or
/// a file without words.
std::vector<CountedWord> read_words(const std::string& path, std::size_t limit = 0);

/// Throws InputError, as read_words does, unless these words can be a dictionary: typed by letters a .. z, each once,
/// with positive counts. Messages name a word by its number, from 0 on, in `name`: "words[3]".
void require_words(const std::vector<CountedWord>& words, const std::string& name);

/// A dictionary organised by prefixes of the letters that words are typed by, with the log of each word's share of all
/// counts. Nodes are numbered so that the children of a node lie side by side, in the order of the alphabet: a step
/// costs a mask and a count of bits.
class WordTrie {
 public:
  static constexpr std::uint32_t kRoot = 0;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  static constexpr std::uint8_t kMostBelow = 254;

  struct Node {
    std::uint32_t first_child = 0;
    std::uint32_t children = 0;    ///< bit k: the node has a child by letter k
    std::uint32_t parent = kNone;  ///< kNone for the root
    std::uint32_t word = kNone;    ///< index in words(), if a word ends here; of several, the most frequent
    float best_below = 0;          ///< largest log frequency of the words that start with this prefix
    Key letter = 0;                ///< the last letter of the prefix
    std::uint8_t child_count = 0;
    std::uint8_t letters_below = 0;  ///< letters of the longest word after this prefix; 255 is 255 or more
  };

  /// The words must be typed by letters a .. z and have positive counts, and no word may occur twice.
  explicit WordTrie(std::vector<CountedWord> words);

  const std::vector<CountedWord>& words() const { return words_; }
  /// Natural log of count / sum of counts.
  float log_frequency(std::uint32_t word) const { return log_frequency_[word]; }
  std::span<const Node> nodes() const { return nodes_; }

  /// The node of the prefix with one letter more; kNone if no word starts with that prefix, or if `node` is kNone.
  std::uint32_t child(std::uint32_t node, Key letter) const {
    if (node == kNone) return kNone;
    const Node& at = nodes_[node];
    const std::uint32_t bit = std::uint32_t{1} << letter;
    if ((at.children & bit) == 0) return kNone;
    return at.first_child + static_cast<std::uint32_t>(std::popcount(at.children & (bit - 1)));
  }

  /// The node of a prefix, or kNone.
  std::uint32_t find(std::span<const Key> prefix) const;
  /// The word's number, or kNone.
  std::uint32_t find_word(std::string_view word) const;
  /// The letters that a word is typed by.
  const std::string& letters(std::uint32_t word) const { return letters_[word]; }
  /// The next of the words that are typed by the same letters, by falling frequency; kNone after the last.
  std::uint32_t next_alike(std::uint32_t word) const { return next_alike_[word]; }
  /// The most frequent of the words that are typed by the same letters.
  std::uint32_t first_alike(std::uint32_t word) const { return nodes_[find(keys_of(letters_[word], {}))].word; }

 private:
  std::vector<std::uint32_t> sorted_words();

  std::vector<CountedWord> words_;
  std::vector<std::string> letters_;       // [word]
  std::vector<std::uint32_t> next_alike_;  // [word]
  std::vector<float> log_frequency_;
  std::vector<Node> nodes_;
};

}  // namespace fovea::gestures
