// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "fovea/base/words.h"

namespace fovea::linkage {

/// A day of the Gregorian calendar, years 1 .. 9999, or only a year or a month of a year: then the day, or month and
/// day, are 0.
struct Date {
  std::chrono::year year{1};
  std::chrono::month month{0};
  std::chrono::day day{0};

  bool is_complete() const { return day != std::chrono::day{0}; }
  friend bool operator==(const Date&, const Date&) = default;
};

/// Order of the numbers in dates that do not begin with a year of four digits. Nothing is guessed: 12/31/1980 is not a
/// date when the day comes first.
enum class DateOrder : unsigned char { kDayFirst, kMonthFirst, kYearFirst };
constexpr auto words_of(DateOrder) {
  using enum DateOrder;
  return std::array{Word{kDayFirst, "dmy"}, Word{kMonthFirst, "mdy"}, Word{kYearFirst, "ymd"}};
}

/// Treatment of years of two digits: 69 to 99 are 1969 to 1999, and 00 to 68 are 2000 to 2068, as in POSIX.
enum class ShortYears : unsigned char { kRefused, kRead };

/// Reads, with blanks allowed around it:
///
///   1980-07-05   1980/7/5   1980.7.5      the year first
///   19800705                              the same in eight digits
///   1980-07      1980                     parts alone
///   05/07/1980   5-7-1980   5.7.1980      the year last, after day and month as `order` says
///   5 July 1980  July 5, 1980  Jul 1980   the month by its English name or the beginning of it, three letters at least
///   05-JUL-1980  05JUL1980                the same without blanks
///   1980-07-05T12:30:00  5.7.1980 12:30   with a time behind it, which is ignored
///
/// and with ShortYears::kRead also 05/07/80, in any order, and 05-JUL-80. nullopt for anything else, and for days that
/// do not exist, like 1981-02-29.
std::optional<Date> parse_date(std::string_view text, DateOrder order = DateOrder::kDayFirst,
                               ShortYears short_years = ShortYears::kRefused);

/// Year of two digits, 0 .. 99, in full.
unsigned full_year(unsigned two_digits);

/// Returns 1 to 12 for an English name of a month or the beginning of it, three letters at least; otherwise 0.
unsigned month_named(std::string_view word);

/// A date of these numbers; month and day may be 0 if they are not known. nullopt unless the calendar has it.
std::optional<Date> date_of(unsigned year, unsigned month, unsigned day);

/// The digits of yyyymmdd, four bits each, that of single days lowest.
std::uint32_t packed_digits(const Date& date);
/// The lowest bit of each digit that is not 0.
constexpr std::uint32_t nonzero_digits(std::uint32_t digits) {
  digits |= digits >> 2;
  return (digits | digits >> 1) & 0x11111111;
}

/// Agreement of two dates; the first of these that holds.
enum class DateAgreement : unsigned char {
  kMissing,       ///< one is not known at all
  kEqual,         ///< equal, and equally complete
  kCompatible,    ///< one is incomplete; the parts that both have are equal
  kSwapped,       ///< day and month exchanged: 1980-05-07 and 1980-07-05
  kOneDigit,      ///< one of the eight digits differs, or two neighbours are exchanged
  kSameYear,      ///< nothing but the year
  kSameMonthDay,  ///< nothing but month and day
  kConflict,
};

DateAgreement compare_dates(const std::optional<Date>& a, const std::optional<Date>& b);

}  // namespace fovea::linkage
