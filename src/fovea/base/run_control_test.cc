// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/run_control.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea {
namespace {

using namespace std::chrono_literals;

TEST(Stop, never_by_default) {
  const Stop stop;
  EXPECT_FALSE(stop.requested());
  EXPECT_FALSE(stop.has_deadline());
  EXPECT_EQ(stop.seconds_left(), INFINITY);
}

TEST(Stop, at_a_deadline) {
  const Stop past{.deadline = Stop::Clock::now() - 1s};
  EXPECT_TRUE(past.is_late());
  EXPECT_TRUE(past.requested());
  EXPECT_EQ(past.seconds_left(), 0);
  const Stop future{.deadline = Stop::Clock::now() + 1h};
  EXPECT_FALSE(future.requested());
  EXPECT_GT(future.seconds_left(), 0);
  EXPECT_LE(future.seconds_left(), 3600);
}

TEST(Stop, when_cancelled) {
  CancelToken token;
  const Stop stop{.cancel = &token};
  EXPECT_FALSE(stop.requested());
  token.cancel();
  EXPECT_TRUE(stop.requested());
  EXPECT_FALSE(stop.is_late());
}

TEST(Stop, within_takes_the_earlier_deadline_and_keeps_the_token) {
  CancelToken token;
  const Stop hour{.deadline = Stop::Clock::now() + 1h, .cancel = &token};
  EXPECT_EQ(hour.within(1e6).deadline, hour.deadline);
  EXPECT_LE(hour.within(60).seconds_left(), 60);
  EXPECT_TRUE(hour.within(0).requested());
  EXPECT_EQ(hour.within(60).cancel, &token);
  EXPECT_TRUE(Stop{}.within(1).has_deadline());
}

TEST(Stop, within_unlimited_seconds_changes_nothing) {
  for (const double seconds : {1e9, 1e300, static_cast<double>(INFINITY), static_cast<double>(NAN)})
    EXPECT_FALSE(Stop{}.within(seconds).has_deadline());
}

}  // namespace

namespace {

TEST(StopMeter, AsksOncePerBlockOfWork) {
  CancelToken cancel;
  cancel.cancel();
  const Stop stop = {.cancel = &cancel};
  StopMeter meter;
  int steps = 1;
  while (!meter.is_late(1000, stop)) ++steps;
  EXPECT_EQ(steps, 33);  // 2^15 entries
  EXPECT_FALSE(meter.is_late(1000, stop));
  EXPECT_TRUE(meter.is_late(1 << 20, stop));
}

TEST(StopMeter, NeverEndsWorkThatNobodyStops) {
  StopMeter meter;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(meter.is_late(1 << 20, {}));
}

}  // namespace

}  // namespace fovea
