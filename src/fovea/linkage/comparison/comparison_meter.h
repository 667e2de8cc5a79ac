// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/base/run.h"
#include "fovea/base/run_control.h"

namespace fovea::linkage {

/// The same run, which ends when this share of the time that is left is over, so that later phases have the rest.
inline Run with_share_of_time(Run run, double share) {
  run.stop = run.stop.within(share * run.stop.seconds_left());
  return run;
}

/// Ends a job that is asked to stop while it compares records. It must be told about every comparison, and looks at the
/// clock only now and then. Each thread needs its own.
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

}  // namespace fovea::linkage
