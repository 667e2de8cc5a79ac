// SPDX-License-Identifier: Apache-2.0
// Swipes that are read have keys of the keyboard and finite points.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/gestures/gesture.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using fovea::gestures::Gesture;
  using fovea::gestures::GestureReader;
  try {
    GestureReader reader(fovea::io::ByteSource::from_memory({reinterpret_cast<const char*>(data), size}, "fuzz"));
    for (Gesture gesture; reader.next(gesture);) {
      for (const fovea::gestures::Key key : gesture.keys) fovea::fuzz::require(key < fovea::gestures::kKeyCount);
      for (const fovea::gestures::Key key : gesture.events) fovea::fuzz::require(key < fovea::gestures::kKeyCount);
      for (const fovea::gestures::KeyboardPoint point : gesture.points)
        fovea::fuzz::require(std::isfinite(point.x) && std::isfinite(point.y));
    }
  } catch (const fovea::InputError&) {
  }
  return 0;
}
