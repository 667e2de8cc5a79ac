// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string_view>

#include "fovea/base/progress.h"
#include "fovea/base/save_or_warn.h"
#include "fovea/base/seconds_since.h"
#include "fovea/base/stop.h"

namespace fovea {

/// How a long job is run: never what it answers, unless it is stopped.
struct JobControl {
  int threads = 0;
  Stop stop = {};
  ProgressFunction progress = {};
  WarningFunction warn = {};  ///< told of a checkpoint that cannot be written
};

/// Tells a job's ProgressFunction, if there is one, how far a phase is.
class Phase {
 public:
  Phase(const ProgressFunction& progress, std::string_view name, double total)
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

}  // namespace fovea
