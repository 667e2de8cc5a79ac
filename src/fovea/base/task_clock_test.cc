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
  double saved(std::size_t cores) const {
    return clock_
        .saved()[static_cast<std::size_t>(std::ranges::find(TaskClock::kCores, cores) - TaskClock::kCores.begin())];
  }
  TaskClock clock_;
  TaskClock::Activation activation_{&clock_};
};

// A thread may sleep longer than asked for, never less: so what is saved has a lower bound.

TEST_F(TaskClockTest, PredictsWhatSharedTasksSave) {
  parallel_in_order(5, 1, [](std::size_t i) { std::this_thread::sleep_for(milliseconds(i == 0 ? 40 : 10)); });
  EXPECT_GE(saved(2), .039) << "40 | 10 10 10 10";
  EXPECT_GE(saved(16), saved(2));
  EXPECT_EQ(saved(16), saved(TaskClock::kAnyNumber));
  parallel_for(40, 10, 1, [](std::size_t, std::size_t) { std::this_thread::sleep_for(milliseconds(10)); });
  EXPECT_GE(saved(2), .058);
  EXPECT_GE(saved(16), .068);
}

TEST_F(TaskClockTest, TasksWithinTasksAreOneTask) {
  const auto started = std::chrono::steady_clock::now();
  parallel_in_order(2, 1, [](std::size_t) {
    parallel_in_order(4, 1, [](std::size_t) { std::this_thread::sleep_for(milliseconds(5)); });
  });
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - started;
  EXPECT_GE(saved(TaskClock::kAnyNumber), .019);
  EXPECT_LE(saved(TaskClock::kAnyNumber), .51 * all.count()) << "the longer of the two is left";
}

TEST_F(TaskClockTest, PipelinesWaitForTheirSerialSteps) {
  struct Nothing {};
  int left = 8;
  const auto started = std::chrono::steady_clock::now();
  run_pipeline(
      1, [] { return std::make_unique<Nothing>(); },
      [&](Nothing&) {
        std::this_thread::sleep_for(milliseconds(5));
        return left-- > 0;
      },
      [](Nothing&) { std::this_thread::sleep_for(milliseconds(15)); }, [](Nothing&) {});
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - started;
  EXPECT_GE(saved(TaskClock::kAnyNumber), .05);
  EXPECT_GE(all.count() - saved(TaskClock::kAnyNumber), .055) << "it reads for 40 ms, and one block takes 20";
}

}  // namespace
}  // namespace fovea
