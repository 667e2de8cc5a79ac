// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/dates.h"

#include <strings.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string>
#include <utility>

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

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the date of a time stamp, and other texts as they are.
std::string_view without_time(std::string_view text) {
  constexpr std::size_t kDateBytes = 10;  // yyyy-mm-dd
  const bool is_iso = text.size() > kDateBytes + 1 && text[4] == '-' && is_digit(text[kDateBytes + 1]);
  if (is_iso && (text[kDateBytes] == 'T' || text[kDateBytes] == ' ')) return text.substr(0, kDateBytes);
  const std::size_t colon = text.find(':');
  if (colon == text.npos || colon + 1 == text.size() || !is_digit(text[colon + 1])) return text;
  std::size_t hour = colon;
  while (hour > 0 && is_digit(text[hour - 1])) --hour;
  if (hour > 0 && colon - hour == 4) return text.substr(0, colon);  // 05JUL1980:12:30:00, as SAS writes
  if (hour == 0 || hour == colon || colon - hour > 2) return text;
  const bool has_sign = text[hour - 1] == 'T' && hour > 1 && is_digit(text[hour - 2]);
  if (!has_sign && text[hour - 1] != ' ' && text[hour - 1] != '\t') return text;
  return text.substr(0, text.find_last_not_of(" \t,", hour - 1 - has_sign) + 1);
}

/// The numbers of a date with the month by name.
struct SpelledDate {
  std::string_view year;
  std::array<std::string_view, 2> numbers;  // of one or two digits: the day, or day and year
  std::size_t count = 0;
  unsigned month = 0;

  /// Takes the next word or number; false if it does not belong in a date.
  bool take(std::string_view word) {
    if (const unsigned named = month_named(word); named != 0 && month == 0) {
      month = named;
      return true;
    }
    for (const std::string_view ending : {"st", "nd", "rd", "th"})
      if (word.ends_with(ending)) word.remove_suffix(ending.size());
    if (!is_number(word)) return false;
    if (word.size() == 4 && year.empty()) year = word;
    else if (word.size() <= 2 && count < numbers.size()) numbers[count++] = word;
    else return false;
    return true;
  }
};

/// "5 July 1980", "July 5th, 1980", "05-JUL-80", "July 1980"; nullopt if no month is named.
std::optional<Date> spelled_out(std::string_view text, DateOrder order, ShortYears short_years) {
  constexpr std::string_view kBetween = " ,.-/";
  SpelledDate date;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(kBetween, begin)) != text.npos;) {
    const bool is_digits = is_digit(text[begin]);
    std::size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    // 05JUL1980 has a name between digits; in 5th the letters belong to the number.
    const std::size_t change =
        std::find_if(text.begin() + begin, text.begin() + end, [&](char c) { return is_digit(c) != is_digits; }) -
        text.begin();
    if (!is_digits || end - change > 2) end = change;
    if (!date.take(text.substr(begin, end - begin))) return std::nullopt;
    begin = end;
  }
  if (date.month == 0) return std::nullopt;
  if (!date.year.empty() && date.count < 2)
    return date_of(to_number(date.year), date.month, date.count == 0 ? 0 : to_number(date.numbers[0]));
  if (!date.year.empty() || date.count != 2 || short_years == ShortYears::kRefused) return std::nullopt;
  const auto [first, second] = date.numbers;
  const bool is_year_first = order == DateOrder::kYearFirst;
  const std::string_view year = is_year_first ? first : second;
  return date_of(year.size() == 2 ? full_year(to_number(year)) : 0, date.month,
                 to_number(is_year_first ? second : first));
}

/// Puts the year first.
void put_in_order(Fields& fields, DateOrder order, ShortYears short_years) {
  auto& [first, second, third] = fields.texts;
  if (fields.count < 3 || first.size() == 4) return;
  const bool is_year_last = third.size() == 4 || (third.size() == 2 && short_years == ShortYears::kRead);
  if (!is_year_last || order == DateOrder::kYearFirst) return;
  if (order == DateOrder::kDayFirst) std::swap(first, second);
  std::swap(second, third);
  std::swap(first, second);
}

/// Makes a date from one to three fields, the year first.
std::optional<Date> make_date(const Fields& fields, ShortYears short_years) {
  const auto& [year, month, day] = fields.texts;
  const bool is_short = year.size() == 2 && fields.count == 3 && short_years == ShortYears::kRead;
  if ((year.size() != 4 && !is_short) || month.size() > 2 || day.size() > 2) return std::nullopt;
  // A field that is there must not be zero: date_of() takes a zero for one that is not.
  if ((fields.count > 1 && to_number(month) == 0) || (fields.count > 2 && to_number(day) == 0)) return std::nullopt;
  return date_of(is_short ? full_year(to_number(year)) : to_number(year), to_number(month), to_number(day));
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

/// True if one digit differs, or two neighbours are exchanged.
bool are_one_digit_apart(const Date& a, const Date& b) {
  constexpr int kBits = 4;
  constexpr std::uint32_t kDigit = 0xF, kTwoNeighbours = 0x11;
  const std::uint32_t x = packed_digits(a), y = packed_digits(b);
  const std::uint32_t differing = nonzero_digits(x ^ y);
  if (std::has_single_bit(differing)) return true;
  const int first = std::countr_zero(differing);
  return differing >> first == kTwoNeighbours && (x >> first & kDigit) == (y >> (first + kBits) & kDigit) &&
         (y >> first & kDigit) == (x >> (first + kBits) & kDigit);
}

}  // namespace

unsigned full_year(unsigned two_digits) {
  constexpr unsigned kFirstOfOldCentury = 69;
  return two_digits + (two_digits < kFirstOfOldCentury ? 2000 : 1900);
}

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

std::optional<Date> date_of(unsigned year, unsigned month, unsigned day) {
  constexpr unsigned kLastYear = 9999, kLastMonth = 12;
  if (year < 1 || year > kLastYear || month > kLastMonth || (month == 0 && day != 0)) return std::nullopt;
  const Date date = {std::chrono::year(static_cast<int>(year)), std::chrono::month(month), std::chrono::day(day)};
  if (day != 0 && !std::chrono::year_month_day(date.year, date.month, date.day).ok()) return std::nullopt;
  return date;
}

std::optional<Date> parse_date(std::string_view text, DateOrder order, ShortYears short_years) {
  text = without_time(without_blanks_around(text));
  if (const std::optional<Date> date = spelled_out(text, order, short_years)) return date;
  std::optional<Fields> fields = split(text);
  if (!fields) return std::nullopt;
  put_in_order(*fields, order, short_years);
  return make_date(*fields, short_years);
}

std::uint32_t packed_digits(const Date& date) {
  constexpr unsigned kBase = 10, kBits = 4, kDigitCount = 8, kOfMonth = 100, kOfYear = 10'000;
  unsigned number = static_cast<unsigned>(static_cast<int>(date.year)) * kOfYear +
                    static_cast<unsigned>(date.month) * kOfMonth + static_cast<unsigned>(date.day);
  std::uint32_t digits = 0;
  for (unsigned i = 0; i < kDigitCount; ++i, number /= kBase) digits |= number % kBase << i * kBits;
  return digits;
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
