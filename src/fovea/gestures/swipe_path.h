// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "fovea/gestures/gesture.h"

namespace fovea::gestures {

/// A swipe with coordinates, as the path model sees it: points at equal steps along the way.
struct SwipePath {
  static constexpr std::size_t kPoints = 32;

  std::array<KeyboardPoint, kPoints> points{};
  std::array<float, kPoints> pace{};  ///< log of the time spent at a point over the mean; 0 where times are not known
  std::array<float, kPoints> turn{};  ///< 0 straight on .. 1 back again; 1 near both ends
  float length = 0;                   ///< key widths
  float events = 0;                   ///< steps of time; 0 where they are not known

  float step() const { return length / static_cast<float>(kPoints - 1); }
};

/// The gesture must have points. What its events say of time is laid along the path by the cheapest monotone matching
/// of runs of one key with points near that key.
SwipePath swipe_path(const Gesture& gesture);

}  // namespace fovea::gestures
