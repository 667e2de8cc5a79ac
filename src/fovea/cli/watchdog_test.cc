// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/watchdog.h"

#include <gtest/gtest.h>

#include <future>

namespace fovea::cli {
namespace {

using std::chrono::milliseconds;

TEST(Watchdog, BarksAtTheDeadline) {
  std::promise<void> barked;
  const auto begin = Watchdog::Clock::now();
  const Watchdog watchdog(begin + milliseconds(5), [&] { barked.set_value(); });
  barked.get_future().wait();
  EXPECT_GE(Watchdog::Clock::now(), begin + milliseconds(5));
}

TEST(Watchdog, IsSilentOnceCalledOff) {
  bool barked = false;
  {
    const Watchdog watchdog(Watchdog::Clock::now() + std::chrono::hours(1), [&] { barked = true; });
  }
  {
    const Watchdog never(Watchdog::Clock::time_point::max(), [&] { barked = true; });
  }
  EXPECT_FALSE(barked);
}

}  // namespace
}  // namespace fovea::cli
