// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/watchdog.h"

#include <utility>

namespace fovea::cli {

Watchdog::Watchdog(Clock::time_point deadline, std::function<void()> on_late) {
  if (deadline == Clock::time_point::max()) return;
  thread_ = std::thread([this, deadline, late = std::move(on_late)] { watch(deadline, late); });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_called_off_ = true;
  }
  called_off_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::watch(Clock::time_point deadline, const std::function<void()>& on_late) {
  std::unique_lock lock(mutex_);
  if (!called_off_.wait_until(lock, deadline, [this] { return is_called_off_; })) on_late();
}

}  // namespace fovea::cli
