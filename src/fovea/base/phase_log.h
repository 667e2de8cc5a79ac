// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/task_clock.h"

namespace fovea {

/// Record of what a job spent its time on. Phases follow each other; those of one name are added up. For one thread:
/// the one that runs the job.
class PhaseLog {
 public:
  struct Phase {
    std::string name;
    double seconds = 0;                 ///< of wall time
    double cpu_seconds = 0;             ///< of all threads of the process
    TaskClock::Seconds predicted = {};  ///< wall time by more cores (TaskClock::kCores), if there is a TaskClock

    /// Cores that worked, on average.
    double cores() const { return seconds > 0 ? cpu_seconds / seconds : 0; }
  };

  /// Begins a phase, and ends the one before.
  void begin(std::string_view name) {
    end();
    const auto at = std::ranges::find(phases_, name, &Phase::name);
    current_ = static_cast<std::size_t>(at - phases_.begin());
    if (at == phases_.end()) phases_.push_back({.name = std::string(name)});
    started_ = now();
  }

  void end() {
    if (current_ == kNone) return;
    const Moment ended = now();
    phases_[current_].seconds += ended.seconds - started_.seconds;
    phases_[current_].cpu_seconds += ended.cpu_seconds - started_.cpu_seconds;
    for (std::size_t k = 0; k < ended.saved.size(); ++k)
      phases_[current_].predicted[k] += ended.seconds - started_.seconds - (ended.saved[k] - started_.saved[k]);
    current_ = kNone;
  }

  /// In the order of their beginning. Without the current one's time.
  const std::vector<Phase>& phases() const { return phases_; }

 private:
  struct Moment {
    double seconds = 0, cpu_seconds = 0;
    TaskClock::Seconds saved = {};
  };
  static constexpr std::size_t kNone = -1;

  static Moment now() {
    timespec cpu{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    const auto wall = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration<double>(wall).count(),
            static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec),
            TaskClock::active ? TaskClock::active->saved() : TaskClock::Seconds{}};
  }

  std::vector<Phase> phases_;
  std::size_t current_ = kNone;
  Moment started_;
};

}  // namespace fovea
