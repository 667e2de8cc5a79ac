// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/text.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/string_distance.h"

namespace fovea {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array kUnits = {Unit{"B", 1},
                               Unit{"kB", 1e3},
                               Unit{"MB", 1e6},
                               Unit{"GB", 1e9},
                               Unit{"KiB", 1024},
                               Unit{"MiB", 1024 * 1024.0},
                               Unit{"GiB", 1024 * 1024.0 * 1024}};
constexpr std::size_t kDecimalUnits = 4;

}  // namespace

std::uint64_t parse_byte_count(std::string_view option, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const Unit& unit : kUnits) {
    const double bytes = number * unit.bytes;
    if (error == std::errc() && rest == unit.name && bytes >= 1 && bytes <= 0x1p62)
      return static_cast<std::uint64_t>(bytes);
  }
  throw UsageError(
      fmt::format("option '{}' '{}': write a number and B, kB, MB, GB, KiB, MiB or GiB, such as 4GB", option, text));
}

std::string byte_count_text(double bytes) {
  std::size_t unit = 0;
  while (unit + 1 < kDecimalUnits && bytes >= kUnits[unit + 1].bytes) ++unit;
  return fmt::format("{:.3g} {}", bytes / kUnits[unit].bytes, kUnits[unit].name);
}

namespace {

constexpr char kQuote = '"';

}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> split_text(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    pieces.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return pieces;
}

std::vector<std::string_view> split_expression(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    is_quoted ^= text[i] == kQuote;
    if (is_quoted) continue;
    depth += (text[i] == '(') - (text[i] == ')');
    if (text[i] != separator || depth > 0) continue;
    pieces.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  pieces.push_back(trimmed(text.substr(begin)));
  return pieces;
}

std::size_t find_in_expression(std::string_view text, char sign) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    is_quoted ^= text[i] == kQuote;
    if (!is_quoted && text[i] == sign) return i;
  }
  return text.npos;
}

std::size_t find_last_in_expression(std::string_view text, char sign) {
  std::size_t last = text.npos;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t at = find_in_expression(text.substr(begin), sign);
    if (at == text.npos) break;
    last = begin + at;
    begin = last + 1;
  }
  return last;
}

std::optional<std::string> unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.find(kQuote) == text.npos) return std::string(text);
  if (text.size() < 2 || text.front() != kQuote || text.back() != kQuote) return std::nullopt;
  std::string name;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == kQuote && (i + 2 >= text.size() || text[++i] != kQuote)) return std::nullopt;
    name += text[i];
  }
  return name;
}

std::string quoted_if_needed(std::string_view name) {
  if (name.find_first_of("\",:+()@") == name.npos && trimmed(name) == name) return std::string(name);
  std::string quoted(1, kQuote);
  for (const char sign : name) quoted.append(sign == kQuote ? 2 : 1, sign);
  return quoted + kQuote;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kMaxWord = 100;
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // A pasted paragraph is not a misspelling, and such a long candidate is not misspelt.
    if (std::max(word.size(), candidate.size()) > kMaxWord) continue;
    if (std::max(word.size(), candidate.size()) > std::min(word.size(), candidate.size()) + best_distance) continue;
    const bool is_same =
        word.size() == candidate.size() && ::strncasecmp(word.data(), candidate.data(), word.size()) == 0;
    const std::size_t distance = is_same ? 0 : damerau(word, candidate);
    // A change of half of the letters or more is not a misspelling either.
    if (distance >= best_distance || 2 * distance >= std::max<std::size_t>(1, std::max(word.size(), candidate.size())))
      continue;
    best = candidate;
    best_distance = distance;
  }
  return best.empty() ? "" : fmt::format(" Did you mean '{}'?", best);
}

}  // namespace fovea
