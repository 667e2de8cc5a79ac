// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/date_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/text.h"

namespace fovea::linkage {
namespace {

constexpr std::string_view kDateSigns = "YymdebB", kTimeSigns = "HMSfp";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";

void check_pattern(std::string_view pattern) {
  const auto refuse = [&](std::string_view problem) {
    throw UsageError(fmt::format(
        "date format '{}': {}. Write dmy, mdy, ymd, or a pattern of %Y or %y, %m or %b, %d, such as '%d.%m.%y'",
        pattern, problem));
  };
  std::string seen;
  for (std::size_t at = 0; (at = pattern.find('%', at)) != pattern.npos; at += 2) {
    const char sign = at + 1 < pattern.size() ? pattern[at + 1] : '%';
    if (at + 1 == pattern.size() ||
        (sign != '%' && (kDateSigns.find(sign) == kDateSigns.npos) && kTimeSigns.find(sign) == kTimeSigns.npos))
      refuse(fmt::format("'{}' is not known", pattern.substr(at, 2)));
    seen += sign;
  }
  const auto count = [&](std::string_view signs) {
    return std::ranges::count_if(seen, [&](char sign) { return signs.find(sign) != signs.npos; });
  };
  if (count("Yy") != 1) refuse("it must have one year");
  if (count("mbB") > 1 || count("de") > 1) refuse("it has a part twice");
  if (count("mbB") == 0 && count("de") > 0) refuse("it has a day but no month");
}

/// Takes the longest beginning of `text` of these characters, at most `most`.
std::string_view take(std::string_view& text, std::string_view characters, std::size_t most) {
  const std::size_t size = std::min({text.find_first_not_of(characters), text.size(), most});
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

unsigned number_of(std::string_view digits) {
  unsigned number = 0;
  for (const char digit : digits) number = 10 * number + static_cast<unsigned>(digit - '0');
  return number;
}

/// The numbers of a date as far as they have been read.
struct DateNumbers {
  unsigned year = 0, month = 0, day = 0;

  /// Takes what a sign of a pattern stands for; false if the text does not begin with it.
  bool take_sign(char sign, std::string_view& text) {
    constexpr std::size_t kAny = 20;
    if (sign == 'b' || sign == 'B') {
      month = month_named(take(text, kLetters, kAny));
      if (text.starts_with('.')) text.remove_prefix(1);  // Jan.
      return month != 0;
    }
    if (sign == 'p') return !take(text, kLetters, 2).empty();
    const std::string_view digits = take(text, kDigits, sign == 'Y' ? 4 : sign == 'f' ? kAny : 2);
    if (sign == 'Y') year = digits.size() == 4 ? number_of(digits) : 0;
    if (sign == 'y') year = digits.size() == 2 ? full_year(number_of(digits)) : 0;
    if (sign == 'm') month = number_of(digits);
    if (sign == 'd' || sign == 'e') day = number_of(digits);
    return !digits.empty() && (kDateSigns.find(sign) == kDateSigns.npos || number_of(digits) != 0 || sign == 'y');
  }
};

/// True for a time behind a date, and for an empty text.
bool is_rest_a_time(std::string_view rest) {
  if (rest.empty()) return true;
  const bool has_sign = rest.front() == 'T' || rest.front() == ' ';
  rest = trimmed(rest.substr(1));
  return has_sign && !rest.empty() && kDigits.find(rest.front()) != kDigits.npos && rest.find(':') != rest.npos;
}

}  // namespace

DateFormat::DateFormat(std::string_view text) : text_(trimmed(text)) {
  if (const std::optional<DateOrder> order = value_of<DateOrder>(text_)) {
    order_ = *order;
    return;
  }
  is_pattern_ = true;
  check_pattern(text_);
}

bool DateFormat::looks_like_one(std::string_view text) {
  return value_of<DateOrder>(trimmed(text)).has_value() || text.find('%') != text.npos;
}

std::optional<Date> DateFormat::read(std::string_view cell) const {
  if (is_pattern_) return match(trimmed(cell, " \t"));
  return parse_date(cell, order_, text_.empty() ? ShortYears::kRefused : ShortYears::kRead);
}

std::optional<Date> DateFormat::match(std::string_view cell) const {
  DateNumbers numbers;
  for (std::size_t at = 0; at < text_.size(); ++at) {
    if (text_[at] == ' ') {
      if (take(cell, " \t", cell.size()).empty() && text_[at - 1] != ' ') return std::nullopt;
    } else if (text_[at] == '%' && text_[at + 1] != '%') {
      if (!numbers.take_sign(text_[++at], cell)) return std::nullopt;
    } else {
      if (text_[at] == '%') ++at;
      if (!cell.starts_with(text_[at])) return std::nullopt;
      cell.remove_prefix(1);
    }
  }
  return is_rest_a_time(cell) ? date_of(numbers.year, numbers.month, numbers.day) : std::nullopt;
}

}  // namespace fovea::linkage
