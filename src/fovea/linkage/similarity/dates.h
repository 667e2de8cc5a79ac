// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

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

/// Order of day and month in dates that begin with one of them. Nothing is guessed: 12/31/1980 is not a date when the
/// day comes first.
enum class DateOrder : unsigned char { kDayFirst, kMonthFirst };

/// Reads, with blanks allowed around it:
///
///   1980-07-05   1980/7/5   1980.7.5      the year first
///   19800705                              the same in eight digits
///   1980-07      1980                     parts alone
///   05/07/1980   5-7-1980   5.7.1980      the year last, after day and month as `order` says
///   5 July 1980  July 5, 1980  Jul 1980   the month by its English name or the beginning of it, three letters at least
///   1980-07-05T12:30:00  1980-07-05 12:30 with a time behind it, which is ignored
///
/// Years have four digits. nullopt for anything else, and for days that do not exist, like 1981-02-29.
std::optional<Date> parse_date(std::string_view text, DateOrder order = DateOrder::kDayFirst);

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
