// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/extractor.h"

#include <algorithm>
#include <array>

#include "fovea/base/utf8.h"

namespace fovea::tagging {
namespace {

template <class Visit>
void for_each_character(std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    visit(character.code_point, text.substr(at, character.size));
    at += character.size;
  }
}

/// The character's place in a word signature: A, a, 0 or itself.
std::string_view signature_of(char32_t code_point, std::string_view bytes) {
  switch (classify(code_point)) {
    case CharacterClass::kCapital:
      return "A";
    case CharacterClass::kLetter:
      return "a";
    case CharacterClass::kDigit:
      return "0";
    case CharacterClass::kOther:
      break;
  }
  return bytes;
}

bool is_capital(CharacterClass c) { return c == CharacterClass::kCapital; }
bool is_digit(CharacterClass c) { return c == CharacterClass::kDigit; }

template <class Predicate>
bool any_class(std::string_view cell, Predicate&& holds) {
  for (std::size_t at = 0; at < cell.size();) {
    const Character character = first_character(cell.substr(at));
    if (holds(classify(character.code_point))) return true;
    at += character.size;
  }
  return false;
}

bool has_capital(std::string_view cell) { return any_class(cell, is_capital); }
bool has_digit(std::string_view cell) { return any_class(cell, is_digit); }

/// Indicators yield "y" if they hold, otherwise no attribute.
bool indicate(bool holds, std::string& output) {
  if (holds) output += 'y';
  return holds;
}

bool extract_cell(std::string_view cell, unsigned, std::string& output) {
  output += cell;
  return true;
}

bool extract_lower(std::string_view cell, unsigned, std::string& output) {
  for_each_character(cell, [&](char32_t c, std::string_view bytes) {
    if (const char32_t lower = lower_case(c); lower != c) append_utf8(lower, output);
    else output += bytes;
  });
  return true;
}

bool extract_prefix(std::string_view cell, unsigned length, std::string& output) {
  if (count_characters(cell) < length) return false;
  output += cell.substr(0, bytes_of_characters(cell, length));
  return true;
}

bool extract_suffix(std::string_view cell, unsigned length, std::string& output) {
  const std::size_t count = count_characters(cell);
  if (count < length) return false;
  output += cell.substr(bytes_of_characters(cell, count - length));
  return true;
}

bool extract_signature(std::string_view cell, unsigned, std::string& output) {
  for_each_character(cell, [&](char32_t c, std::string_view bytes) { output += signature_of(c, bytes); });
  return true;
}

bool extract_shape(std::string_view cell, unsigned, std::string& output) {
  std::string_view previous;
  for_each_character(cell, [&](char32_t c, std::string_view bytes) {
    const std::string_view sign = signature_of(c, bytes);
    if (sign != previous) output += sign;
    previous = sign;
  });
  return true;
}

bool extract_outline(std::string_view cell, unsigned length, std::string& output) {
  const std::size_t begin = output.size();
  extract_shape(cell, length, output);
  if (has_capital(cell)) output.erase(std::remove(output.begin() + begin, output.end(), 'a'), output.end());
  return true;
}

bool extract_digits(std::string_view cell, unsigned, std::string& output) {
  if (!has_digit(cell)) return false;
  for_each_character(cell, [&](char32_t c, std::string_view bytes) {
    output += is_digit(classify(c)) ? std::string_view("0") : bytes;
  });
  return true;
}

bool indicate_digit(std::string_view cell, unsigned, std::string& output) { return indicate(has_digit(cell), output); }

bool indicate_all_digits(std::string_view cell, unsigned, std::string& output) {
  return indicate(!cell.empty() && !any_class(cell, [](auto c) { return !is_digit(c); }), output);
}

bool indicate_capitalized(std::string_view cell, unsigned, std::string& output) {
  return indicate(!cell.empty() && has_capital(cell.substr(0, first_character(cell).size)), output);
}

bool indicate_all_capitals(std::string_view cell, unsigned, std::string& output) {
  return indicate(!cell.empty() && !any_class(cell, [](auto c) { return !is_capital(c); }), output);
}

constexpr std::array kExtractors = {
    Extractor{"x", false, true, "the cell as it is", extract_cell},
    Extractor{"lower", false, true, "in lower case: mcdiarmid", extract_lower},
    Extractor{"prefix", true, false, "the first characters: %prefix[0,0,2] is Mc; nothing if the cell is shorter",
              extract_prefix},
    Extractor{"suffix", true, false, "the last characters: %suffix[0,0,3] is mid; nothing if the cell is shorter",
              extract_suffix},
    Extractor{"signature", false, true, "capitals A, other letters a, digits 0, the rest as it is: AaAaaaaaa",
              extract_signature},
    Extractor{"shape", false, true, "the signature with runs collapsed: AaAa", extract_shape},
    Extractor{"outline", false, true, "the shape without its a's if it has capitals: AA (and banana gives a)",
              extract_outline},
    Extractor{"digits", false, false, "the cell with each digit as 0; nothing if it has none", extract_digits},
    Extractor{"has-digit", false, false, "y if there is a digit, else nothing", indicate_digit},
    Extractor{"all-digits", false, false, "y if there are only digits, else nothing", indicate_all_digits},
    Extractor{"capitalized", false, false, "y if the first character is a capital, else nothing", indicate_capitalized},
    Extractor{"all-capitals", false, false, "y if there are only capitals, else nothing", indicate_all_capitals},
};

}  // namespace

std::span<const Extractor> known_extractors() { return kExtractors; }

const Extractor* find_extractor(std::string_view name) {
  const auto* found = std::find_if(kExtractors.begin(), kExtractors.end(),
                                   [&](const Extractor& extractor) { return extractor.name == name; });
  return found == kExtractors.end() ? nullptr : found;
}

}  // namespace fovea::tagging
