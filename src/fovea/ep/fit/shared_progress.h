// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "fovea/base/run_control.h"

namespace fovea::ep {

/// Progress of a phase of equal steps that several threads take. A thread that finds another one reporting goes on
/// without a word.
class SharedProgress {
 public:
  /// `function` must outlive the object.
  SharedProgress(const ProgressFunction& function, std::string_view phase, std::size_t steps)
      : progress_(function, phase, static_cast<double>(steps)) {}

  void count_one() const {
    const std::uint64_t count = ++done_;
    if (const std::unique_lock lock(one_at_a_time_, std::try_to_lock); lock)
      progress_.report(static_cast<double>(count));
  }

 private:
  const PhaseProgress progress_;
  mutable std::atomic<std::uint64_t> done_ = 0;
  mutable std::mutex one_at_a_time_;
};

}  // namespace fovea::ep
