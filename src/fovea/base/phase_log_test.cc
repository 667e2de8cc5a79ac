// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/phase_log.h"

#include <gtest/gtest.h>

#include <thread>

namespace fovea {
namespace {

TEST(PhaseLogTest, AddsUpPhasesOfOneName) {
  PhaseLog log;
  log.begin("asleep");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  log.begin("busy");
  for (const auto start = std::chrono::steady_clock::now();
       std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20);) {
  }
  log.begin("asleep");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  log.end();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // belongs to none
  log.end();
  ASSERT_EQ(log.phases().size(), 2u);
  EXPECT_EQ(log.phases()[0].name, "asleep");
  EXPECT_GE(log.phases()[0].seconds, .04);
  EXPECT_LT(log.phases()[0].cores(), .5);
  EXPECT_EQ(log.phases()[1].name, "busy");
  EXPECT_GE(log.phases()[1].seconds, .02);
  EXPECT_GT(log.phases()[1].cpu_seconds, .001);
}

}  // namespace
}  // namespace fovea
