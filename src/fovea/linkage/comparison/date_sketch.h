// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "fovea/linkage/similarity/dates.h"
#include "fovea/linkage/weights/agreement_patterns.h"

namespace fovea::linkage {

/// Bounds of the levels that date_level() gives.
class DateSketcher {
 public:
  struct Sketch {
    std::uint32_t digits = 0, swapped = 0;  ///< packed_digits(), also with day and month exchanged
    bool is_complete = false;
  };

  /// `date` is known.
  static Sketch sketch(const std::optional<Date>& date) {
    const std::uint32_t digits = packed_digits(*date);
    constexpr std::uint32_t kYear = 0xFFFF0000, kTwoDigits = 0xFF;
    constexpr int kBits = 8;
    return {digits, (digits & kYear) | (digits & kTwoDigits) << kBits | (digits >> kBits & kTwoDigits),
            date->is_complete()};
  }
  static int needed(Level level) { return level; }
  static int most(const Sketch& a, const Sketch& b) {
    constexpr int kEqual = 5, kSlip = 3, kPart = 2, kConflict = 1, kBitsOfAPart = 16;
    const std::uint32_t differing = a.digits ^ b.digits;
    if (differing == 0 || !a.is_complete || !b.is_complete) return kEqual;
    if (a.swapped == b.digits || std::popcount(nonzero_digits(differing)) <= 2) return kSlip;
    const bool shares_part = differing >> kBitsOfAPart == 0 || differing << kBitsOfAPart == 0;
    return shares_part ? kPart : kConflict;
  }
};

}  // namespace fovea::linkage
