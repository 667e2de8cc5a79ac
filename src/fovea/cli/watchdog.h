// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace fovea::cli {

/// Calls `on_late` from a thread of its own if it is still alive at `deadline`: for work that cannot look at the clock,
/// such as reading a file. Nothing happens once the destructor has begun.
class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  /// A deadline of Clock::time_point::max() is never reached.
  Watchdog(Clock::time_point deadline, std::function<void()> on_late);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(Clock::time_point deadline, const std::function<void()>& on_late);

  std::mutex mutex_;
  std::condition_variable called_off_;
  bool is_called_off_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace fovea::cli
