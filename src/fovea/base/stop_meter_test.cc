// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/stop_meter.h"

#include <gtest/gtest.h>

namespace fovea {
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
