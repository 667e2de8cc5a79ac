// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fovea {

/// Spelling of one value of an enumeration, for people and in files.
template <class E>
struct Word {
  E value;
  std::string_view text;
};
template <class E>
Word(E, const char*) -> Word<E>;

/// An enumeration with a table of words. The table stands next to the enumeration, in its namespace:
///
///   constexpr auto words_of(Order) { return std::array{Word{Order::kColour, "colour"}, ...}; }
///
/// and is the only source of the spelling for the command line, JSON, model files and messages. A value may have
/// several words: all are read, the first is written.
template <class E>
concept Worded = std::is_enum_v<E> && requires {
  words_of(E());
};

/// The first word of `value`; "" for a number that names no value.
template <Worded E>
constexpr std::string_view word_of(E value) {
  for (const Word<E>& word : words_of(E()))
    if (word.value == value) return word.text;
  return "";
}

/// The value that is spelled exactly `text`; nullopt for any other text.
template <Worded E>
constexpr std::optional<E> value_of(std::string_view text) {
  for (const Word<E>& word : words_of(E()))
    if (word.text == text) return word.value;
  return std::nullopt;
}

/// All words, in the order of the table.
template <Worded E>
std::vector<std::string_view> all_words() {
  std::vector<std::string_view> words;
  for (const Word<E>& word : words_of(E())) words.push_back(word.text);
  return words;
}

}  // namespace fovea
