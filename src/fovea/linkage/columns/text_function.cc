// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/columns/text_function.h"

#include <array>
#include <optional>

#include "fovea/base/utf8.h"
#include "fovea/linkage/similarity/dates.h"
#include "fovea/linkage/similarity/names.h"
#include "fovea/linkage/similarity/normalise.h"
#include "fovea/linkage/similarity/phonetic.h"

namespace fovea::linkage {
namespace {

std::string prefix_of(std::string_view text, std::size_t count) {
  const std::string letters = normalised(text);
  return letters.substr(0, bytes_of_characters(letters, count));
}

std::string initial_of(std::string_view text, std::size_t) { return prefix_of(text, 1); }

std::string year_of(std::string_view text, std::size_t) {
  const std::optional<Date> date = parse_date(text);
  return date ? std::to_string(static_cast<int>(date->year)) : "";
}

std::string month_of(std::string_view text, std::size_t) {
  const std::optional<Date> date = parse_date(text);
  return date && date->month.ok() ? std::to_string(static_cast<unsigned>(date->month)) : "";
}

std::string surname_of(std::string_view text, std::size_t) { return std::string(split_name(text).surname); }
std::string given_of(std::string_view text, std::size_t) { return std::string(split_name(text).given); }

std::string family_of(std::string_view text, std::size_t) { return family_name(text); }

std::string first_of(std::string_view text, std::size_t) {
  const std::string words = normalised(text);
  return words.substr(0, words.find(' '));
}

std::string rest_of(std::string_view text, std::size_t) {
  const std::string words = normalised(text);
  const std::size_t blank = words.find(' ');
  return blank == words.npos ? "" : words.substr(blank + 1);
}

std::string full_of(std::string_view text, std::size_t) {
  return count_characters(normalised(text)) > 1 ? std::string(text) : "";
}

std::string sound_of(std::string_view text, std::size_t) { return soundex(text); }
std::string consonants_of(std::string_view text, std::size_t) { return metaphone(text); }
std::string spelling_of(std::string_view text, std::size_t) { return transliterated(text); }

constexpr std::array kFunctions = {
    TextFunction{"soundex", "how it sounds in English, as a letter and three digits", false, sound_of},
    TextFunction{"metaphone", "how it sounds in English, as consonants", false, consonants_of},
    TextFunction{"initial", "its first letter", false, initial_of},
    TextFunction{"prefix", "prefix(column, 3): its first letters", true, prefix_of},
    TextFunction{"year", "of a date", false, year_of},
    TextFunction{"month", "of a date", false, month_of},
    TextFunction{"surname", "of a name: what is before its comma, else its last word", false, surname_of},
    TextFunction{"given", "of a name: what is behind its comma, else all but its last word", false, given_of},
    TextFunction{"family", "of a surname: its last word but for Jr, II and the like", false, family_of},
    TextFunction{"first", "its first word", false, first_of},
    TextFunction{"rest", "its other words", false, rest_of},
    TextFunction{"full", "the text, if it is longer than an initial", false, full_of},
    TextFunction{"transliterated", "one spelling of Müller, Mueller and Muller", false, spelling_of},
};

}  // namespace

std::span<const TextFunction> text_functions() { return kFunctions; }

}  // namespace fovea::linkage
