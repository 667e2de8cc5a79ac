// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/date_format.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

std::string read_as(std::string_view format, std::string_view cell) {
  const std::optional<Date> date = (format.empty() ? DateFormat() : DateFormat(format)).read(cell);
  if (!date) return "none";
  return fmt::format("{}-{}-{}", static_cast<int>(date->year), static_cast<unsigned>(date->month),
                     static_cast<unsigned>(date->day));
}

TEST(DateFormatTest, Orders) {
  EXPECT_EQ(read_as("", "05/07/1980"), "1980-7-5");
  EXPECT_EQ(read_as("", "05/07/80"), "none");
  EXPECT_EQ(read_as("dmy", "05/07/80"), "1980-7-5");
  EXPECT_EQ(read_as(" mdy ", "05/07/80"), "1980-5-7");
  EXPECT_EQ(read_as("mdy", "05/07/1980 12:30"), "1980-5-7");
  EXPECT_EQ(read_as("ymd", "05/07/08"), "2005-7-8");
}

TEST(DateFormatTest, Patterns) {
  EXPECT_EQ(read_as("%d.%m.%y", "5.7.80"), "1980-7-5");
  EXPECT_EQ(read_as("%d.%m.%y", " 05.07.80\t"), "1980-7-5");
  EXPECT_EQ(read_as("%d.%m.%y", "05.07.80 12:30"), "1980-7-5") << "a time may follow";
  EXPECT_EQ(read_as("%d%m%Y", "05071980"), "1980-7-5");
  EXPECT_EQ(read_as("%b %e, %Y", "Jul  5, 1980"), "1980-7-5") << "a blank stands for several";
  EXPECT_EQ(read_as("%d. %B %Y", "5. july 1980"), "1980-7-5");
  EXPECT_EQ(read_as("%d %b %Y", "5 Jul. 1980"), "1980-7-5");
  EXPECT_EQ(read_as("%H:%M:%S.%f %p on %Y-%m-%d", "1:02:03.456 PM on 1980-07-05"), "1980-7-5");
  EXPECT_EQ(read_as("%Y%m", "198007"), "1980-7-0");
  EXPECT_EQ(read_as("100%% %y", "100% 00"), "2000-0-0");
}

TEST(DateFormatTest, CellsThatDoNotMatch) {
  for (const char* cell : {"", "05/07/80", "5.7.1980", "5.7.8", "05.07.80x", "05.07.80 x", "05.07", "32.07.80",
                           "00.07.80", "05.00.80", "05.13.80", "05.07.80 12", "1980-07-05"})
    EXPECT_EQ(read_as("%d.%m.%y", cell), "none") << cell;
  EXPECT_EQ(read_as("%d %m %y", "050780"), "none");
  EXPECT_EQ(read_as("%d %b %y", "05 Foo 80"), "none");
}

TEST(DateFormatTest, WhatIsNoFormatIsRefused) {
  const auto refusal = [](const char* text) { return message_of<UsageError>([&] { (void)DateFormat(text); }); };
  testing::expect_messages(refusal, {{"", "it must have one year"},
                                     {"dym", "'dym': it must have one year. Write dmy, mdy, ymd, or a pattern"},
                                     {"%d.%m.%q", "'%q' is not known"},
                                     {"%d.%m.%Y%", "'%' is not known"},
                                     {"%Y %y", "it must have one year"},
                                     {"%d %e %m %y", "it has a part twice"},
                                     {"%d %Y", "it has a day but no month"}});
  EXPECT_TRUE(DateFormat::looks_like_one(" ymd"));
  EXPECT_TRUE(DateFormat::looks_like_one("%d"));
  EXPECT_FALSE(DateFormat::looks_like_one("1y"));
}

}  // namespace
}  // namespace fovea::linkage
