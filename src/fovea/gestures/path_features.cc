// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/path_features.h"

namespace fovea::gestures {

LetterRole inner_role(Key before, Key letter, Key after) {
  constexpr float kStraightOn = .8F, kTurnsBack = -.2F;  // cosines
  if (before == letter || letter == after) return LetterRole::kDoubled;
  const KeyboardPoint a = key_centre(before), b = key_centre(letter), c = key_centre(after);
  const float dot = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y);
  const float cosine = dot / (distance(a, b) * distance(b, c));
  if (cosine > kStraightOn) return LetterRole::kStraight;
  return cosine > kTurnsBack ? LetterRole::kBent : LetterRole::kSharp;
}

PathWeights first_path_weights() {
  PathWeights weights{};
  for (std::size_t role = 0; role < kLetterRoles; ++role) {
    const bool is_end = role <= static_cast<std::size_t>(LetterRole::kLast);
    for (std::size_t i = 0; i < kDistanceKnots.size(); ++i) {
      const float d = kDistanceKnots[i], cost = .3F * d + 1.5F * std::min(d * d, 4.F);
      weights[PathFeature::kDistance + role * kDistanceKnots.size() + i] = is_end ? -1.7F * cost : -cost;
    }
    weights[PathFeature::kPace + role] = .3F;
  }
  for (std::size_t i = 0; i < kDistanceKnots.size(); ++i) {
    const float d = kDistanceKnots[i];
    weights[PathFeature::kStrokeDistance + i] = -(.3F * d + .7F * d * d);
  }
  for (std::size_t i = 0; i < kDirectionKnots.size(); ++i)
    weights[PathFeature::kStrokeDirection + i] = -.5F * (1 - kDirectionKnots[i]);
  weights[PathFeature::kHead] = weights[PathFeature::kTail] = -.8F;
  weights[PathFeature::kFrequency] = .6F;
  return weights;
}

}  // namespace fovea::gestures
