// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace fovea::linkage {

/// A day of the Gregorian calendar, years 1 .. 9999, or a year or month of which no more is known: then the day, or
/// month and day, are 0.
struct Date {
  std::chrono::year year{1};
  std::chrono::month month{0};
  std::chrono::day day{0};

  bool is_complete() const { return day != std::chrono::day{0}; }
  friend bool operator==(const Date&, const Date&) = default;
};

/// How dates that begin with the day or the month are written. Nothing is guessed: 12/31/1980 is no date when the day
/// comes first.
enum class DateOrder : unsigned char { kDayFirst, kMonthFirst };

/// Reads, with blanks allowed around it:
///
///   1980-07-05   1980/7/5   1980.7.5      the year first
///   19800705                              the same in eight digits
///   1980-07      1980                     parts alone
///   05/07/1980   5-7-1980   5.7.1980      the year last, after day and month as `order` says
///   5 July 1980  July 5, 1980  Jul 1980   the month by its English name or the beginning of it, three letters at least
///   1980-07-05T12:30:00  1980-07-05 12:30 with a time behind it, of which nothing is kept
///
/// Years have four digits. nullopt for anything else, and for days that no calendar has, like 1981-02-29.
std::optional<Date> parse_date(std::string_view text, DateOrder order = DateOrder::kDayFirst);

/// How two dates agree; the first that holds.
enum class DateAgreement : unsigned char {
  kMissing,       ///< one is not known at all
  kEqual,         ///< and equally complete
  kCompatible,    ///< one is incomplete; what both say is equal
  kSwapped,       ///< day and month exchanged: 1980-05-07 and 1980-07-05
  kOneDigit,      ///< one of the eight digits differs, or two neighbours are exchanged
  kSameYear,      ///< no more than the year
  kSameMonthDay,  ///< no more than month and day
  kConflict,
};

DateAgreement compare_dates(const std::optional<Date>& a, const std::optional<Date>& b);

}  // namespace fovea::linkage
