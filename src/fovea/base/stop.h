// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

#include "fovea/base/progress.h"

namespace fovea {

/// When a computation must end with the best it has: at a moment, or when it is cancelled. Default: never.
/// Asking costs a look at the clock (about 25 ns): ask once per block of work that takes well below a millisecond.
struct Stop {
  using Clock = std::chrono::steady_clock;

  Clock::time_point deadline = Clock::time_point::max();
  const CancelToken* cancel = nullptr;  ///< must outlive the computation

  bool requested() const { return (cancel && cancel->cancelled()) || is_late(); }
  bool is_late() const { return has_deadline() && Clock::now() >= deadline; }
  bool has_deadline() const { return deadline != Clock::time_point::max(); }

  /// Seconds until the deadline: infinite without one, never negative.
  double seconds_left() const {
    if (!has_deadline()) return std::numeric_limits<double>::infinity();
    return std::max(0.0, std::chrono::duration<double>(deadline - Clock::now()).count());
  }

  /// The same, but at most `seconds` from now.
  Stop within(double seconds) const {
    if (!(seconds < 1e9)) return *this;
    const auto later =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    return {.deadline = std::min(deadline, later), .cancel = cancel};
  }
};

}  // namespace fovea
