// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/task_clock.h"

#include <gtest/gtest.h>

#include <thread>

#include "fovea/base/parallel.h"
#include "fovea/base/pipeline.h"

namespace fovea {
namespace {

using std::chrono::milliseconds;

class TaskClockTest : public ::testing::Test {
 protected:
  TaskClockTest() { TaskClock::active = &clock_; }
  ~TaskClockTest() override { TaskClock::active = nullptr; }
  double saved(std::size_t cores) const {
    return clock_
        .saved()[static_cast<std::size_t>(std::ranges::find(TaskClock::kCores, cores) - TaskClock::kCores.begin())];
  }
  TaskClock clock_;
};

TEST_F(TaskClockTest, PredictsWhatSharedTasksSave) {
  parallel_in_order(5, 1, [](std::size_t i) { std::this_thread::sleep_for(milliseconds(i == 0 ? 40 : 10)); });
  EXPECT_NEAR(saved(2), .040, .01) << "40 | 10 10 10 10";
  EXPECT_NEAR(saved(16), .040, .01);
  EXPECT_EQ(saved(16), saved(TaskClock::kAnyNumber));
  parallel_for(40, 10, 1, [](std::size_t, std::size_t) { std::this_thread::sleep_for(milliseconds(10)); });
  EXPECT_NEAR(saved(2), .060, .02);
  EXPECT_NEAR(saved(16), .070, .02);
}

TEST_F(TaskClockTest, TasksWithinTasksAreOneTask) {
  parallel_in_order(2, 1, [](std::size_t) {
    parallel_in_order(4, 1, [](std::size_t) { std::this_thread::sleep_for(milliseconds(5)); });
  });
  EXPECT_NEAR(saved(TaskClock::kAnyNumber), .020, .01);
}

TEST_F(TaskClockTest, PipelinesWaitForTheirSerialSteps) {
  struct Nothing {};
  int left = 8;
  run_pipeline(
      1, [] { return std::make_unique<Nothing>(); },
      [&](Nothing&) {
        std::this_thread::sleep_for(milliseconds(5));
        return left-- > 0;
      },
      [](Nothing&) { std::this_thread::sleep_for(milliseconds(15)); }, [](Nothing&) {});
  EXPECT_NEAR(saved(TaskClock::kAnyNumber), .160 - .040 - .020, .03) << "it reads for 40 ms";
}

}  // namespace
}  // namespace fovea
