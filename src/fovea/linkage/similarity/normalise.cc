// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/normalise.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fovea/base/utf8.h"

namespace fovea::linkage {
namespace {

/// Lower-case Latin letters without a decomposition, in ASCII.
struct Spelling {
  char32_t letter;
  std::string_view ascii;
};
constexpr std::array kSpellings = {
    Spelling{U'æ', "ae"}, Spelling{U'ð', "d"}, Spelling{U'ø', "o"}, Spelling{U'þ', "th"}, Spelling{U'đ', "d"},
    Spelling{U'ħ', "h"},  Spelling{U'ı', "i"}, Spelling{U'ł', "l"}, Spelling{U'ŋ', "n"},  Spelling{U'œ', "oe"},
    Spelling{U'ŧ', "t"},  Spelling{U'ƀ', "b"}, Spelling{U'ɨ', "i"},
};

/// Words appended to a text with one blank in between.
class Writer {
 public:
  explicit Writer(std::size_t expected_size) { text_.reserve(expected_size); }
  void end_word() { is_word_over_ = true; }
  void add(char32_t code_point) {
    begin_word();
    append_utf8(code_point, text_);
  }
  void add(std::string_view letters) {
    begin_word();
    text_ += letters;
  }
  std::string take() { return std::move(text_); }

 private:
  void begin_word() {
    if (is_word_over_ && !text_.empty()) text_ += ' ';
    is_word_over_ = false;
  }
  std::string text_;
  bool is_word_over_ = false;
};

enum class Kind { kKept, kDropped, kBlank };

/// Combining classes below 10 are parts of letters: vowel signs (0), nukta (7), kana voicing (8), virama (9).
constexpr int kFirstAccent = 10;

Kind kind_of(char32_t code_point) {
  const utf8proc_property_t* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point));
  switch (property->category) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return property->combining_class < kFirstAccent ? Kind::kKept : Kind::kDropped;
    case UTF8PROC_CATEGORY_CF:  // joiners and other invisible format characters
      return Kind::kDropped;
    default:
      return property->category >= UTF8PROC_CATEGORY_LU && property->category <= UTF8PROC_CATEGORY_NO ? Kind::kKept
                                                                                                      : Kind::kBlank;
  }
}

void add_folded(char32_t code_point, Writer& writer) {
  if (kind_of(code_point) == Kind::kDropped) return;
  if (kind_of(code_point) == Kind::kBlank) return writer.end_word();
  const auto* spelling = std::find_if(kSpellings.begin(), kSpellings.end(),
                                      [&](const Spelling& candidate) { return candidate.letter == code_point; });
  if (spelling != kSpellings.end()) return writer.add(spelling->ascii);
  writer.add(code_point);
}

void add_beyond_ascii(char32_t code_point, Writer& writer) {
  constexpr char32_t kReplacement = 0xFFFD;
  if (code_point == kRawByte || code_point == kReplacement) return writer.add(kReplacement);
  std::array<utf8proc_int32_t, 32> parts;  // Unicode's longest decomposition has 18
  int previous_class = 0;
  const utf8proc_ssize_t count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(code_point), parts.data(), parts.size(),
      static_cast<utf8proc_option_t>(UTF8PROC_CASEFOLD | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT), &previous_class);
  for (utf8proc_ssize_t i = 0; i < count; ++i) add_folded(static_cast<char32_t>(parts[i]), writer);
}

}  // namespace

std::string normalised(std::string_view text) {
  Writer writer(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    text.remove_prefix(c.size);
    if (c.code_point >= 0x80) add_beyond_ascii(c.code_point, writer);
    else if (classify(c.code_point) == CharacterClass::kOther) writer.end_word();
    else writer.add(lower_case(c.code_point));
  }
  return writer.take();
}

std::vector<std::string> tokens(std::string_view text) {
  const std::string words = normalised(text);
  std::vector<std::string> result;
  for (std::string_view rest = words; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    result.emplace_back(word);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return result;
}

}  // namespace fovea::linkage
