// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/progress_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/expect_error.h"

namespace fovea::cli {
namespace {

TEST(ProgressBarTest, ShowsShareRateTimeLeftAndFigure) {
  const Progress progress = {
      .phase = "training", .done = 45, .total = 100, .seconds = 90, .figure = "objective", .value = 1234.5};
  EXPECT_EQ(progress_line(progress, 200), "training [#########-----------]  45% 0.5/s  1:50 left  objective 1234.5");
}

TEST(ProgressBarTest, CountsWhereTheTotalIsUnknown) {
  EXPECT_EQ(progress_line({.phase = "reading", .done = 2500000, .seconds = 2}, 200), "reading 2.5M 1.25M/s");
  EXPECT_EQ(progress_line({.phase = "reading"}, 200), "reading 0");
}

TEST(ProgressBarTest, FinishedOrOverfullStaysAtHundredPercent) {
  for (double done : {10.0, 12.0})
    EXPECT_THAT(progress_line({.phase = "p", .done = done, .total = 10}, 200), EndsWith("[####################] 100%"));
}

TEST(ProgressBarTest, FitsTheTerminal) {
  EXPECT_EQ(progress_line({.phase = "training", .done = 1, .total = 2}, 10), "training [");
}

TEST(ProgressBarTest, CountsHaveThreeDigits) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(999.6), "1k");
  EXPECT_EQ(short_count(12345), "12.3k");
  EXPECT_EQ(short_count(999999), "1M");
  EXPECT_EQ(short_count(3e9), "3G");
  EXPECT_EQ(short_count(3.14e12), "3.14T");
}

TEST(ProgressBarTest, ClockShowsWhatMatters) {
  EXPECT_EQ(clock_text(0.6), "0:01");
  EXPECT_EQ(clock_text(725), "12:05");
  EXPECT_EQ(clock_text(10800), "3:00:00");
}

TEST(ProgressBarTest, RedrawsAtMostTenTimesASecondButAlwaysTheLast) {
  std::ostringstream terminal;
  ProgressBar bar(terminal);
  for (int i = 1; i <= 9; ++i) bar.draw({.phase = "p", .done = 1.0 * i, .total = 10}, 80);
  EXPECT_THAT(terminal.str(), Not(HasSubstr("90%")));
  bar.draw({.phase = "p", .done = 10, .total = 10}, 80);
  EXPECT_THAT(terminal.str(), HasSubstr("100%"));
}

TEST(ProgressBarTest, ClearRemovesTheLineOnce) {
  std::ostringstream terminal;
  ProgressBar bar(terminal);
  bar.clear();
  EXPECT_EQ(terminal.str(), "");
  bar.draw({.phase = "p"}, 80);
  bar.clear();
  const std::string cleared = terminal.str();
  EXPECT_THAT(cleared, EndsWith("\r\x1b[K"));
  bar.clear();
  EXPECT_EQ(terminal.str(), cleared);
}

}  // namespace
}  // namespace fovea::cli
