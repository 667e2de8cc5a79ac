// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/base/run_control.h"

namespace fovea::linkage {

/// How a long job is run: never what it answers, unless it is stopped.
struct JobControl {
  int threads = 0;
  Stop stop = {};
  ProgressFunction progress = {};
  WarningFunction warn = {};  ///< told of a checkpoint that cannot be written
};

/// Ends a job that is asked to stop while it compares records: to be told of every comparison, it seldom looks at the
/// clock. One for each thread.
class ComparisonMeter {
 public:
  /// doing: as in "interrupted while comparing records".
  ComparisonMeter(const Stop& stop, const char* doing) : stop_(stop), doing_(doing) {}

  /// Throws CancelledError, or LimitError at a deadline.
  void count() {
    if (meter_.is_late(kEntriesOfAComparison, stop_)) end();
  }
  void look() const {
    if (stop_.requested()) end();
  }

 private:
  static constexpr std::uint64_t kEntriesOfAComparison = 256;  // texts may be long

  [[noreturn]] void end() const {
    if (stop_.cancel != nullptr && stop_.cancel->cancelled())
      throw CancelledError(std::string("interrupted while ") + doing_);
    throw LimitError(std::string("the time limit was over while ") + doing_ + "; give more time, or compare fewer");
  }

  const Stop& stop_;
  const char* doing_;
  StopMeter meter_;
};

/// Tells a job's ProgressFunction, if there is one, how far a phase is.
class PhaseProgress {
 public:
  PhaseProgress(const ProgressFunction& progress, std::string_view name, double total)
      : progress_(progress), name_(name), total_(total) {}

  void report(double done, std::string_view figure = {}, double value = 0) const {
    if (!progress_) return;
    const double seconds = seconds_since(started_);
    progress_({name_, done, total_, seconds, figure, value});
  }

 private:
  const ProgressFunction& progress_;
  std::string_view name_;
  double total_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace fovea::linkage
