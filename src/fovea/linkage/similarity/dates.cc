// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/dates.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "fovea/base/string_distance.h"

namespace fovea::linkage {
namespace {

std::string_view without_blanks_around(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// One to three numbers with the same separator in between; texts[i] is empty for missing ones.
struct Fields {
  std::array<std::string_view, 3> texts;
  std::size_t count = 0;
};

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 4 && text.find_first_not_of("0123456789") == text.npos;
}

std::optional<Fields> split(std::string_view text) {
  if (text.size() == 8 && text.find_first_not_of("0123456789") == text.npos)
    return Fields{{text.substr(0, 4), text.substr(4, 2), text.substr(6)}, 3};
  const std::size_t first = text.find_first_of("-/.");
  const char separator = first == text.npos ? '-' : text[first];
  Fields fields;
  for (bool is_last = false; !is_last; ++fields.count) {
    const std::size_t end = text.find(separator);
    is_last = end == text.npos;
    if (fields.count == fields.texts.size() || !is_number(text.substr(0, end))) return std::nullopt;
    fields.texts[fields.count] = text.substr(0, end);
    if (!is_last) text.remove_prefix(end + 1);
  }
  return fields;
}

unsigned to_number(std::string_view digits) {
  unsigned number = 0;
  for (char c : digits) number = 10 * number + static_cast<unsigned>(c - '0');
  return number;
}

/// Returns the date of a time stamp, and other texts as they are.
std::string_view without_time(std::string_view text) {
  constexpr std::size_t kDateBytes = 10;  // yyyy-mm-dd
  if (text.size() <= kDateBytes || (text[kDateBytes] != 'T' && text[kDateBytes] != ' ') || text[4] != '-') return text;
  const char next = text[kDateBytes + 1 < text.size() ? kDateBytes + 1 : kDateBytes];
  return next >= '0' && next <= '9' ? text.substr(0, kDateBytes) : text;
}

/// Returns 1 to 12 for an English name of a month or its beginning; otherwise 0.
unsigned month_named(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                               "may",       "june",     "july",     "august",
                                                               "september", "october",  "november", "december"};
  constexpr std::size_t kLeastLetters = 3;
  if (word.size() < kLeastLetters) return 0;
  for (unsigned month = 0; month < kMonths.size(); ++month)
    if (word.size() <= kMonths[month].size() && ::strncasecmp(word.data(), kMonths[month].data(), word.size()) == 0)
      return month + 1;
  return 0;
}

/// "5 July 1980", "July 5th, 1980", "July 1980" as year, month and day in digits; empty for anything else.
std::string spelled_out(std::string_view text) {
  unsigned month = 0, day = 0;
  std::string_view year;
  std::size_t words = 0;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(" ,.", begin)) != text.npos; ++words) {
    const std::size_t end = std::min(text.find_first_of(" ,.", begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    begin = end;
    if (const unsigned named = month_named(word); named != 0) {
      if (month != 0) return {};
      month = named;
      continue;
    }
    for (const std::string_view ending : {"st", "nd", "rd", "th"})
      if (word.ends_with(ending)) word.remove_suffix(ending.size());
    if (!is_number(word)) return {};
    if (word.size() == 4) year = word;
    else if (word.size() <= 2 && day == 0) day = to_number(word);
    else return {};
  }
  if (month == 0 || year.empty() || words > 3) return {};
  return day == 0 ? fmt::format("{}-{:02}", year, month) : fmt::format("{}-{:02}-{:02}", year, month, day);
}

/// Makes a date from one to three fields, the year first. nullopt unless the calendar has it.
std::optional<Date> make_date(const Fields& fields) {
  if (fields.texts[0].size() != 4 || fields.texts[1].size() > 2 || fields.texts[2].size() > 2) return std::nullopt;
  const Date date = {std::chrono::year(static_cast<int>(to_number(fields.texts[0]))),
                     std::chrono::month(to_number(fields.texts[1])), std::chrono::day(to_number(fields.texts[2]))};
  const bool has_parts = date.year >= std::chrono::year(1) && (fields.count < 2 || date.month.ok());
  const bool has_day = fields.count < 3 || std::chrono::year_month_day(date.year, date.month, date.day).ok();
  return has_parts && has_day ? std::optional(date) : std::nullopt;
}

/// yyyymmdd.
std::string digits_of(const Date& date) {
  return fmt::format("{:04}{:02}{:02}", static_cast<int>(date.year), static_cast<unsigned>(date.month),
                     static_cast<unsigned>(date.day));
}

/// True if the parts that both have are equal.
bool are_compatible(const Date& a, const Date& b) {
  constexpr std::chrono::month kNoMonth{0};
  return a.year == b.year && (a.month == b.month || a.month == kNoMonth || b.month == kNoMonth) &&
         (a.day == b.day || !a.is_complete() || !b.is_complete());
}

bool are_swapped(const Date& a, const Date& b) {
  const auto is_swapped = [](const Date& x, const Date& y) {
    return static_cast<unsigned>(x.month) == static_cast<unsigned>(y.day);
  };
  return a.year == b.year && is_swapped(a, b) && is_swapped(b, a);
}

/// True if the dates are one edit apart. They have equally many digits, so that an edit replaces one or exchanges two.
bool are_one_digit_apart(const Date& a, const Date& b) { return damerau(digits_of(a), digits_of(b), 1) == 1; }

}  // namespace

std::optional<Date> parse_date(std::string_view text, DateOrder order) {
  text = without_time(without_blanks_around(text));
  const std::string spelled = spelled_out(text);
  std::optional<Fields> fields = split(spelled.empty() ? text : std::string_view(spelled));
  if (!fields) return std::nullopt;
  auto& [first, second, third] = fields->texts;
  if (fields->count == 3 && third.size() == 4) {
    if (order == DateOrder::kDayFirst) std::swap(first, second);
    std::swap(second, third);
    std::swap(first, second);
  }
  return make_date(*fields);
}

DateAgreement compare_dates(const std::optional<Date>& a, const std::optional<Date>& b) {
  if (!a || !b) return DateAgreement::kMissing;
  if (*a == *b) return DateAgreement::kEqual;
  if (are_compatible(*a, *b)) return DateAgreement::kCompatible;
  const bool are_complete = a->is_complete() && b->is_complete();
  if (are_complete && are_swapped(*a, *b)) return DateAgreement::kSwapped;
  if (are_complete && are_one_digit_apart(*a, *b)) return DateAgreement::kOneDigit;
  if (a->year == b->year) return DateAgreement::kSameYear;
  return are_complete && a->month == b->month && a->day == b->day ? DateAgreement::kSameMonthDay
                                                                  : DateAgreement::kConflict;
}

}  // namespace fovea::linkage
