// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/word_trie.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "fovea/base/log_math.h"
#include "fovea/base/text.h"
#include "fovea/io/token_reader.h"

namespace fovea::gestures {
namespace {

constexpr std::size_t kLongestWord = 100;  // sums over alignments take its square and more
constexpr double kLargestCount = 1e15;     // sums stay exact

double counted_times(std::string_view cell, const InputLocation& location) {
  double count = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
  if (error != std::errc() || end != cell.data() + cell.size() || !(count > 0 && count <= kLargestCount))
    throw InputError(location, fmt::format("the count is {}", io::quoted_for_message(cell)),
                     "Give lines 'word <tab> count' with counts above 0");
  return count;
}

/// A range of sorted words that share their first `depth` letters; each node stands for one.
struct SharedPrefix {
  std::uint32_t node = WordTrie::kRoot;
  std::uint32_t first = 0, last = 0;
  std::size_t depth = 0;
};

/// Throws unless the word is typed by letters, not too many, and has not been seen.
void require_word(std::string_view word, const InputLocation& location, std::unordered_set<std::string>& seen) {
  if (typed_letters(word).empty())
    throw InputError(location, fmt::format("{} has no letters a .. z", io::quoted_for_message(word)), "Leave it out");
  if (word.size() > kLongestWord)
    throw InputError(location, fmt::format("a word of {} letters; at most {} are read", word.size(), kLongestWord),
                     "Leave it out");
  if (!seen.emplace(word).second)
    throw InputError(location, fmt::format("the word '{}' has occurred before", word),
                     "Give each word once, with the sum of its counts");
}

}  // namespace

std::vector<CountedWord> read_words(const std::string& path, std::size_t limit) {
  io::LineReader lines{io::ByteSource(path)};
  std::vector<CountedWord> words;
  std::unordered_set<std::string> seen;
  while ((limit == 0 || words.size() < limit) && lines.next()) {
    if (trimmed(lines.line()).empty()) continue;
    const std::vector<std::string_view> cells = split_text(lines.line(), '\t');
    if (cells.size() < 2) throw InputError(lines.location(), "the line has no count", "Give lines 'word <tab> count'");
    require_word(cells[0], lines.location(), seen);
    words.push_back({.word = std::string(cells[0]), .count = counted_times(cells[1], lines.location())});
  }
  if (words.empty())
    throw InputError({.file = lines.name()}, "the dictionary is empty", "Give lines 'word <tab> count'");
  return words;
}

void require_words(const std::vector<CountedWord>& words, const std::string& name) {
  if (words.empty()) throw InputError({.file = name}, "the dictionary is empty", "Give words with their counts");
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const InputLocation location = {.file = fmt::format("{}[{}]", name, i)};
    require_word(words[i].word, location, seen);
    if (!(words[i].count > 0 && words[i].count <= kLargestCount))
      throw InputError(location, fmt::format("the word '{}' has the count {}", words[i].word, words[i].count),
                       fmt::format("Give a number above 0, at most {:g}", kLargestCount));
  }
}

WordTrie::WordTrie(std::vector<CountedWord> words) : words_(std::move(words)) {
  double total = 0;
  for (const CountedWord& word : words_) total += word.count;
  for (const CountedWord& word : words_) log_frequency_.push_back(static_cast<float>(std::log(word.count / total)));
  for (const CountedWord& word : words_) letters_.push_back(typed_letters(word.word));
  const std::vector<std::uint32_t> order = sorted_words();
  // Siblings are numbered one after the other, and the words with a prefix lie close to each other.
  std::vector<SharedPrefix> to_come = {{.first = 0, .last = static_cast<std::uint32_t>(order.size())}};
  nodes_.emplace_back();
  while (!to_come.empty()) {
    SharedPrefix prefix = to_come.back();
    to_come.pop_back();
    const std::uint32_t node = prefix.node;
    if (prefix.first < prefix.last && letters_[order[prefix.first]].size() == prefix.depth)
      nodes_[node].word = order[prefix.first++];  // the shortest is sorted first
    nodes_[node].first_child = static_cast<std::uint32_t>(nodes_.size());
    while (prefix.first < prefix.last) {
      const char letter = letters_[order[prefix.first]][prefix.depth];
      std::uint32_t end = prefix.first;
      while (end < prefix.last && letters_[order[end]][prefix.depth] == letter) ++end;
      const auto key = static_cast<Key>(letter - 'a');
      nodes_[node].children |= std::uint32_t{1} << key;
      ++nodes_[node].child_count;
      to_come.push_back({.node = static_cast<std::uint32_t>(nodes_.size()),
                         .first = prefix.first,
                         .last = end,
                         .depth = prefix.depth + 1});
      nodes_.push_back({.parent = node, .letter = key});
      prefix.first = end;
    }
  }
  for (Node& node : nodes_) node.best_below = node.word == kNone ? kImpossibleF : log_frequency_[node.word];
  for (std::size_t node = nodes_.size() - 1; node > 0; --node) {
    Node& parent = nodes_[nodes_[node].parent];
    parent.best_below = std::max(parent.best_below, nodes_[node].best_below);
    parent.letters_below =
        std::max(parent.letters_below, static_cast<std::uint8_t>(std::min(nodes_[node].letters_below, kMostBelow) + 1));
  }
}

/// By their letters; of words with the same ones, only the most frequent, which leads to the others.
std::vector<std::uint32_t> WordTrie::sorted_words() {
  std::vector<std::uint32_t> order(words_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    if (letters_[a] != letters_[b]) return letters_[a] < letters_[b];
    return words_[a].count != words_[b].count ? words_[a].count > words_[b].count : words_[a].word < words_[b].word;
  });
  next_alike_.assign(words_.size(), kNone);
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    if (letters_[order[i]] == letters_[order[i + 1]]) next_alike_[order[i]] = order[i + 1];
  const auto leads =
      std::unique(order.begin(), order.end(), [&](auto a, auto b) { return letters_[a] == letters_[b]; });
  order.erase(leads, order.end());
  return order;
}

std::uint32_t WordTrie::find(std::span<const Key> prefix) const {
  std::uint32_t node = kRoot;
  for (const Key key : prefix) node = child(node, key);
  return node;
}

std::uint32_t WordTrie::find_word(std::string_view word) const {
  const std::string letters = typed_letters(word);
  const std::uint32_t node = letters.empty() ? kNone : find(keys_of(letters, {}));
  std::uint32_t found = node == kNone ? kNone : nodes_[node].word;
  while (found != kNone && words_[found].word != word) found = next_alike_[found];
  return found;
}

}  // namespace fovea::gestures
