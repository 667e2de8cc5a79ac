// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/dates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fovea::linkage {
namespace {

std::string written(const std::optional<Date>& date) {
  if (!date) return "none";
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date->year), static_cast<unsigned>(date->month),
                     static_cast<unsigned>(date->day));
}

std::string read(std::string_view text, DateOrder order = DateOrder::kDayFirst) {
  return written(parse_date(text, order));
}

TEST(DatesTest, EveryForm) {
  for (const char* text :
       {"1980-07-05", "1980/7/5", "1980.07.5", "19800705", "05/07/1980", "5-7-1980", "5.7.1980", " 1980-07-05\t"})
    EXPECT_EQ(read(text), "1980-07-05") << text;
  EXPECT_EQ(read("1980-07"), "1980-07-00");
  EXPECT_EQ(read("1980"), "1980-00-00");
  EXPECT_EQ(read("0001"), "0001-00-00");
  EXPECT_EQ(read("9999-12-31"), "9999-12-31");
}

TEST(DatesTest, DayOrMonthFirstIsNeverGuessed) {
  EXPECT_EQ(read("07/05/1980", DateOrder::kMonthFirst), "1980-07-05");
  EXPECT_EQ(read("12/31/1980", DateOrder::kMonthFirst), "1980-12-31");
  EXPECT_EQ(read("12/31/1980", DateOrder::kDayFirst), "none");
  EXPECT_EQ(read("31/12/1980", DateOrder::kMonthFirst), "none");
  EXPECT_EQ(read("1980-07-05", DateOrder::kMonthFirst), "1980-07-05");
}

TEST(DatesTest, LeapYears) {
  EXPECT_EQ(read("2000-02-29"), "2000-02-29");
  EXPECT_EQ(read("1984-02-29"), "1984-02-29");
  EXPECT_EQ(read("1900-02-29"), "none");
  EXPECT_EQ(read("1981-02-29"), "none");
}

TEST(DatesTest, WhatIsNoDateIsRefused) {
  using namespace std::string_view_literals;
  for (std::string_view text : {""sv,
                                " "sv,
                                "x"sv,
                                "80"sv,
                                "198"sv,
                                "19800"sv,
                                "198007"sv,
                                "1980070"sv,
                                "198007055"sv,
                                "0000"sv,
                                "0000-01-01"sv,
                                "1980-13"sv,
                                "1980-00"sv,
                                "1980-13-01"sv,
                                "1980-00-05"sv,
                                "1980-07-00"sv,
                                "1980-07-32"sv,
                                "1980-06-31"sv,
                                "19800631"sv,
                                "1980-07-05-01"sv,
                                "1980-07/05"sv,
                                "1980--05"sv,
                                "1980-07-"sv,
                                "-1980"sv,
                                "+1980"sv,
                                "5/7/80"sv,
                                "07-1980"sv,
                                "1980-007-05"sv,
                                "1980-07-1981"sv,
                                "1980 07 05"sv,
                                "１９８０"sv,
                                "1980\0"sv,
                                "1980\0"
                                "07"sv})
    EXPECT_EQ(read(text), "none") << text;
}

TEST(DatesTest, TimesAndNamesOfMonths) {
  const std::optional<Date> day = parse_date("1980-07-05"), month = parse_date("1980-07");
  for (const char* text : {"1980-07-05T12:30:00", "1980-07-05T12:30:00Z", "1980-07-05 00:00:00", "5 July 1980",
                           "05 Jul 1980", "July 5, 1980", "JULY 5th 1980", "5. july 1980", "05-JUL-1980", "05JUL1980",
                           "5.7.1980 12:30", "5/7/1980, 9:05 PM", "5.7.1980T12:30:00+01:00", "July 5, 1980 12:30 AM",
                           "05JUL1980:12:30:00", "1980/7/5 1:00", "1980-Jul-05"})
    EXPECT_EQ(parse_date(text), day) << text;
  EXPECT_EQ(parse_date("July 1980"), month);
  for (const char* text : {"July", "5 Ju 1980", "5 July 80", "5 6 July 1980", "31 June 1980", "5 July June 1980",
                           "July 1980 x", "1980-07-05 x", "1980-07-05T", "5 July 0000", "12:30", "5.7.1980 123:30",
                           "5.7.1980 12:", "5.7.1980T:30", "05JUL80"})
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
}

TEST(DatesTest, YearsOfTwoDigitsWhereAllowed) {
  const auto short_year = [](std::string_view text, DateOrder order) {
    return written(parse_date(text, order, ShortYears::kRead));
  };
  EXPECT_EQ(short_year("5/7/80", DateOrder::kDayFirst), "1980-07-05");
  EXPECT_EQ(short_year("7/5/80", DateOrder::kMonthFirst), "1980-07-05");
  EXPECT_EQ(short_year("80/7/5", DateOrder::kYearFirst), "1980-07-05") << "a day of one digit is not a year";
  EXPECT_EQ(short_year("80-07-05", DateOrder::kYearFirst), "1980-07-05");
  EXPECT_EQ(short_year("05-JUL-80", DateOrder::kDayFirst), "1980-07-05");
  EXPECT_EQ(short_year("80 Jul 5", DateOrder::kYearFirst), "1980-07-05");
  EXPECT_EQ(short_year("05JUL68", DateOrder::kMonthFirst), "2068-07-05");
  EXPECT_EQ(short_year("01/01/69", DateOrder::kDayFirst), "1969-01-01");
  EXPECT_EQ(short_year("1980-07-05", DateOrder::kDayFirst), "1980-07-05") << "years of four digits as always";
  EXPECT_EQ(short_year("13/13/80", DateOrder::kDayFirst), "none");
  EXPECT_EQ(short_year("05/07/1980", DateOrder::kYearFirst), "none") << "the year is not first";
  EXPECT_EQ(short_year("80", DateOrder::kYearFirst), "none");
  EXPECT_EQ(short_year("5/7/8", DateOrder::kDayFirst), "none");
}

TEST(DatesTest, EveryAgreement) {
  using enum DateAgreement;
  struct DateCase {
    const char *a, *b;
    DateAgreement agreement;
  };
  constexpr DateCase kCases[] = {
      {"", "", kMissing},
      {"1980", "1981-02-29", kMissing},  // no such day: not known
      {"1980-07-05", "05.07.1980", kEqual},
      {"1980", "1980", kEqual},
      {"1980", "1980-07-05", kCompatible},
      {"1980-07", "1980-07-05", kCompatible},
      {"1980-07", "1980", kCompatible},
      {"1980-07-05", "1980-05-07", kSwapped},
      {"1980-07-05", "1980-07-06", kOneDigit},
      {"1980-07-05", "1990-07-05", kOneDigit},
      {"1980-07-05", "1908-07-05", kOneDigit},
      {"1980-12-01", "1980-12-10", kOneDigit},
      {"1980-07-05", "1981-07-06", kConflict},
      {"1980-11-01", "1980-10-12", kSameYear},
      {"1980-07-05", "1980-08-06", kSameYear},
      {"1980-07", "1980-08-05", kSameYear},
      {"1980-07-05", "1971-07-05", kSameMonthDay},
      {"1980-07-05", "1971-07-06", kConflict},
      {"1980-07-05", "1971-05-07", kConflict},
      {"1980", "1981", kConflict},
      {"1980-07", "1971-07", kConflict},
  };
  for (const auto& [a, b, agreement] : kCases) {
    EXPECT_EQ(compare_dates(parse_date(a), parse_date(b)), agreement) << a << " " << b;
    EXPECT_EQ(compare_dates(parse_date(b), parse_date(a)), agreement) << b << " " << a;
  }
}

}  // namespace
}  // namespace fovea::linkage
