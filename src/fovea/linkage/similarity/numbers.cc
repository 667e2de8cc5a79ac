// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "fovea/base/text.h"
#include "fovea/base/utf8.h"

namespace fovea::linkage {
namespace {

constexpr std::string_view kNumberDigits = "0123456789", kSeparators = ",.' ";
constexpr std::size_t kGroup = 3;  // digits between two separators of thousands

std::optional<double> plain_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// Writes no-break and thin spaces as blanks, and leaves out those around the number.
std::string with_plain_blanks(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, first_character(text).size);
    constexpr std::array<std::string_view, 4> kSpaces = {"\u00A0", "\u2007", "\u2009", "\u202F"};
    plain += std::ranges::find(kSpaces, character) == kSpaces.end() ? character : " ";
    text.remove_prefix(character.size());
  }
  return std::string(trimmed(plain, " \t"));
}

/// The digits without the separators that set thousands apart; "" if they do not stand where they should.
std::string without_groups(std::string_view text, char separator) {
  std::string digits;
  for (bool is_first = true;; is_first = false) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view group = text.substr(0, end);
    const bool is_group = is_first ? !group.empty() && group.size() <= kGroup : group.size() == kGroup;
    if (!is_group || group.find_first_not_of(kNumberDigits) != group.npos) return "";
    digits += group;
    if (end == text.size()) return digits;
    text.remove_prefix(end + 1);
  }
}

/// True if the only separator, a comma at `at`, cannot set thousands apart.
bool is_decimal_comma(std::string_view text, std::size_t at) {
  return text.size() - at - 1 != kGroup || at > kGroup || at == 0 || text.front() == '0';
}

std::string with_point(std::string number, std::size_t at) {
  number[at] = '.';
  return number;
}

/// A number without sign, as in programs; "" if its separators have no meaning or two.
std::string without_separators(std::string_view text) {
  const std::size_t last = text.find_last_of(kSeparators), first = text.find_first_of(kSeparators);
  if (last == text.npos) return "";
  const char sign = text[last];
  const bool is_only = first == last, is_repeated = text.find(sign) != last;
  if (is_only && sign == ',' && is_decimal_comma(text, last)) return with_point(std::string(text), last);
  if (is_repeated || (is_only && (sign == ' ' || sign == '\''))) return without_groups(text, sign);
  if (is_only || (sign != ',' && sign != '.')) return "";
  std::string number = without_groups(text.substr(0, last), text[first]);
  if (number.empty()) return "";
  const std::size_t point = number.size();
  return with_point(number.append(text.substr(last)), point);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const std::string plain = with_plain_blanks(text);
  std::string_view number = plain;
  const bool is_negative = number.starts_with('-');
  if (is_negative || number.starts_with('+')) number.remove_prefix(1);
  if (number.empty() ||
      (kNumberDigits.find(number.front()) == number.npos && kSeparators.find(number.front()) == number.npos))
    return std::nullopt;
  std::optional<double> value = plain_number(number);
  if (!value && number.find_first_not_of("0123456789,.' ") == number.npos)
    value = plain_number(without_separators(number));
  return value && is_negative ? -*value : value;
}

}  // namespace fovea::linkage
