// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/word_context.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace fovea::gestures {
namespace {

constexpr double kDiscount = .75;

}  // namespace

WordContext::WordContext(std::span<const std::vector<std::uint32_t>> sentences) {
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> counts;
  for (const std::vector<std::uint32_t>& sentence : sentences)
    for (std::size_t i = 1; i < sentence.size(); ++i) {
      if (sentence[i] == kUnknown || sentence[i - 1] == kUnknown) continue;
      ++counts[{kUnknown, sentence[i - 1], sentence[i]}];
      if (i > 1 && sentence[i - 2] != kUnknown) ++counts[{sentence[i - 2], sentence[i - 1], sentence[i]}];
    }
  for (const auto& [gram, count] : counts) grams_.push_back({gram[0], gram[1], gram[2], count});
}

std::span<const WordContext::Gram> WordContext::after(std::uint32_t first, std::uint32_t second) const {
  const auto key = [](const Gram& gram) { return std::pair(gram.first, gram.second); };
  const std::pair wanted(first, second);
  const auto begin = std::partition_point(grams_.begin(), grams_.end(), [&](const Gram& g) { return key(g) < wanted; });
  const auto end = std::partition_point(begin, grams_.end(), [&](const Gram& g) { return key(g) == wanted; });
  return {begin, end};
}

double WordContext::log_probability(std::uint32_t word, const Before& before, double log_frequency) const {
  double p = std::exp(log_frequency);
  const auto interpolate = [&](std::span<const Gram> grams) {
    if (grams.empty()) return;
    double total = 0, own = 0;
    for (const Gram& gram : grams) {
      total += gram.count;
      if (gram.word == word) own = gram.count;
    }
    p = std::max(own - kDiscount, 0.0) / total + kDiscount * static_cast<double>(grams.size()) / total * p;
  };
  if (before.second != kUnknown) interpolate(after(kUnknown, before.second));
  if (before.first != kUnknown && before.second != kUnknown) interpolate(after(before.first, before.second));
  return std::log(p);
}

std::vector<std::uint32_t> WordContext::followers(const Before& before, std::size_t count) const {
  std::vector<std::uint32_t> words;
  const auto add = [&](std::span<const Gram> grams) {
    std::vector<Gram> sorted(grams.begin(), grams.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const Gram& a, const Gram& b) { return a.count > b.count; });
    for (const Gram& gram : sorted)
      if (words.size() < count && std::find(words.begin(), words.end(), gram.word) == words.end())
        words.push_back(gram.word);
  };
  if (before.first != kUnknown && before.second != kUnknown) add(after(before.first, before.second));
  if (before.second != kUnknown) add(after(kUnknown, before.second));
  return words;
}

std::vector<std::vector<std::uint32_t>> read_sentences(const std::string& path, const WordTrie& words) {
  io::LineReader lines{io::ByteSource(path)};
  std::vector<std::vector<std::uint32_t>> sentences;
  std::vector<std::uint32_t> sentence;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) sentence.push_back(words.find_word(word));
    word.clear();
  };
  const auto end_sentence = [&] {
    end_word();
    if (sentence.size() > 1) sentences.push_back(sentence);
    sentence.clear();
  };
  while (lines.next()) {
    for (const char c : lines.line()) {
      const auto byte = static_cast<unsigned char>(c);
      if (c >= 'A' && c <= 'Z') word += static_cast<char>(c - 'A' + 'a');
      else if ((c >= 'a' && c <= 'z') || c == '\'' || c == '-' || byte >= 0x80) word += c;
      else if (c == '.' || c == '!' || c == '?') end_sentence();
      else end_word();
    }
    end_sentence();
  }
  return sentences;
}

}  // namespace fovea::gestures
