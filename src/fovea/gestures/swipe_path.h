// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "fovea/gestures/gesture.h"

namespace fovea::gestures {

/// A swipe with coordinates in the form for the path model: points at equal steps along the path.
struct SwipePath {
  static constexpr std::size_t kPoints = 32;

  std::array<KeyboardPoint, kPoints> points{};
  std::array<float, kPoints> pace{};  ///< log of the time spent at a point over the mean; 0 if times are not known
  std::array<float, kPoints> turn{};  ///< 0 (straight on) .. 1 (back again); 1 near both ends
  float length = 0;                   ///< key widths
  float events = 0;                   ///< number of time steps; 0 if times are not known

  float step() const { return length / static_cast<float>(kPoints - 1); }
};

/// Makes the path of a gesture, which must have points. The times in its events are distributed along the path by the
/// cheapest monotone matching of runs of one key with points near that key.
SwipePath swipe_path(const Gesture& gesture);

}  // namespace fovea::gestures
