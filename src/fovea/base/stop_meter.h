// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fovea/base/stop.h"

namespace fovea {

/// Asks a Stop once per so many table entries: to look at the clock costs more than a small message.
class StopMeter {
 public:
  /// `entries` more have been read: is it time to end?
  bool is_late(std::uint64_t entries, const Stop& stop) {
    entries_ += entries;
    if (entries_ < kEntriesBetweenLooks) return false;
    entries_ = 0;
    return stop.requested();
  }

 private:
  static constexpr std::uint64_t kEntriesBetweenLooks = 1 << 15;  // about 0.1 ms
  std::uint64_t entries_ = 0;
};

}  // namespace fovea
