// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/phonetic.h"

#include <array>
#include <utility>

#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

/// The letters of `text` as capitals A .. Z.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (char c : normalised(text))
    if (c >= 'a' && c <= 'z') letters += static_cast<char>(c - 'a' + 'A');
  return letters;
}

bool is_one_of(char c, std::string_view letters) { return letters.find(c) != letters.npos; }

/// A word that can be read at any position; outside it there is '\0'.
class Word {
 public:
  explicit Word(std::string letters) : letters_(std::move(letters)) {}
  std::size_t size() const { return letters_.size(); }
  char operator[](std::size_t i) const { return i < size() ? letters_[i] : '\0'; }  // i = -1 wraps: outside too
  bool has_vowel(std::size_t i) const { return is_one_of((*this)[i], "AEIOU"); }
  /// The vowels that soften C and G.
  bool has_soft_vowel(std::size_t i) const { return is_one_of((*this)[i], "EIY"); }
  /// True if `part` begins at `i`.
  bool has(std::string_view part, std::size_t i) const {
    return i < size() && letters_.compare(i, part.size(), part) == 0;
  }
  bool ends_with(std::string_view part, std::size_t i) const { return has(part, i) && i + part.size() == size(); }

 private:
  std::string letters_;
};

std::string_view sound_of_c(const Word& word, std::size_t i) {
  const bool after_s = word[i - 1] == 'S';
  if (word.has_soft_vowel(i + 1) && after_s) return "";
  if (word.has("CIA", i)) return "X";
  if (word.has_soft_vowel(i + 1)) return "S";
  return word[i + 1] == 'H' && !after_s ? "X" : "K";
}

std::string_view sound_of_g(const Word& word, std::size_t i) {
  if (word[i + 1] == 'H' && i + 2 < word.size() && !word.has_vowel(i + 2)) return "";
  if (word.ends_with("GN", i) || word.ends_with("GNED", i)) return "";
  if (!word.has_soft_vowel(i + 1)) return "K";
  if (word[i - 1] == 'G') return "K";
  return word[i - 1] == 'D' ? "" : "J";
}

std::string_view sound_of_h(const Word& word, std::size_t i) {
  if (is_one_of(word[i - 1], "CGPST")) return "";
  return word.has_vowel(i - 1) && !word.has_vowel(i + 1) ? "" : "H";
}

std::string_view sound_of_s(const Word& word, std::size_t i) {
  return word[i + 1] == 'H' || word.has("SIA", i) || word.has("SIO", i) ? "X" : "S";
}

std::string_view sound_of_t(const Word& word, std::size_t i) {
  if (word.has("TIA", i) || word.has("TIO", i)) return "X";
  if (word[i + 1] == 'H') return "0";
  return word.has("TCH", i) ? "" : "T";
}

std::string_view sound_of_b(const Word& word, std::size_t i) { return word.ends_with("MB", i - 1) ? "" : "B"; }

std::string_view sound_of_d(const Word& word, std::size_t i) {
  return word[i + 1] == 'G' && word.has_soft_vowel(i + 2) ? "J" : "T";
}

std::string_view sound_of_k(const Word& word, std::size_t i) { return word[i - 1] == 'C' ? "" : "K"; }

std::string_view sound_of_p(const Word& word, std::size_t i) { return word[i + 1] == 'H' ? "F" : "P"; }

std::string_view sound_of_w(const Word& word, std::size_t i) { return word.has_vowel(i + 1) ? "W" : ""; }

std::string_view sound_of_y(const Word& word, std::size_t i) { return word.has_vowel(i + 1) ? "Y" : ""; }

std::string_view sound_of_x(const Word&, std::size_t) { return "KS"; }

std::string_view silent(const Word&, std::size_t) { return ""; }

template <char kSound>
std::string_view always(const Word&, std::size_t) {
  static constexpr char kText[] = {kSound};
  return {kText, 1};
}

/// The sound of the letter at a position, by letter from A to Z.
using Sound = std::string_view (*)(const Word& word, std::size_t i);
constexpr std::array<Sound, 26> kSounds = {
    silent,      sound_of_b, sound_of_c,  sound_of_d,  silent,      always<'F'>, sound_of_g, sound_of_h,  silent,
    always<'J'>, sound_of_k, always<'L'>, always<'M'>, always<'N'>, silent,      sound_of_p, always<'K'>, always<'R'>,
    sound_of_s,  sound_of_t, silent,      always<'F'>, sound_of_w,  sound_of_x,  sound_of_y, always<'S'>};

/// Writes an initial group as it is spoken: KNIGHT as NIGHT.
std::string with_spoken_beginning(std::string letters) {
  for (std::string_view silent : {"AE", "GN", "KN", "PN", "WR"})
    if (letters.starts_with(silent)) return letters.substr(1);
  if (letters.starts_with("WH")) letters.erase(1, 1);
  if (letters.starts_with('X')) letters[0] = 'S';
  return letters;
}

}  // namespace

std::string soundex(std::string_view text) {
  constexpr std::size_t kSize = 4;
  constexpr std::string_view kCodes = "01230120022455012623010202";  // of A .. Z, with H and W as vowels
  std::string code;
  char previous = '0';
  for (char letter : letters_of(text)) {
    if (!code.empty() && is_one_of(letter, "HW")) continue;
    const char digit = kCodes[letter - 'A'];
    if (code.empty()) code += letter;
    else if (digit != '0' && digit != previous && code.size() < kSize) code += digit;
    previous = digit;
  }
  if (!code.empty()) code.resize(kSize, '0');
  return code;
}

std::string metaphone(std::string_view text) {
  const Word word(with_spoken_beginning(letters_of(text)));
  std::string code;
  if (word.has_vowel(0)) code = word[0];
  for (std::size_t i = 0; i < word.size(); ++i)
    if (word[i] == 'C' || word[i] != word[i + 1]) code += kSounds[word[i] - 'A'](word, i);
  return code;
}

}  // namespace fovea::linkage
