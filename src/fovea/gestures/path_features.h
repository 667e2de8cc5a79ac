// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

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

/// Role of a letter in its word, by the turn that the finger should make at it.
enum class LetterRole : std::uint8_t { kFirst, kLast, kStraight, kBent, kSharp, kDoubled };
inline constexpr std::size_t kLetterRoles = 6;

/// Role of a letter between two others.
LetterRole inner_role(Key before, Key letter, Key after);

/// Knots of a piecewise linear function; beyond the last it is constant.
inline constexpr std::array<float, 8> kDistanceKnots = {0, .25F, .5F, .75F, 1, 1.5F, 2.2F, 3.5F};  // key widths
inline constexpr std::array<float, 6> kDirectionKnots = {-1, -.5F, 0, .5F, .85F, 1};               // cosines

/// Layout of the weights of the path model's low-order score.
struct PathFeature {
  static constexpr std::size_t kDistance = 0;                                             ///< [role][knot]
  static constexpr std::size_t kPace = kDistance + kLetterRoles * kDistanceKnots.size();  ///< [role]
  static constexpr std::size_t kTurn = kPace + kLetterRoles;                              ///< [role][2]
  static constexpr std::size_t kStrokeDistance = kTurn + 2 * kLetterRoles;                ///< [knot]
  static constexpr std::size_t kStrokeDirection = kStrokeDistance + kDistanceKnots.size();
  static constexpr std::size_t kHead =
      kStrokeDirection + kDirectionKnots.size();             ///< key widths before the first letter
  static constexpr std::size_t kTail = kHead + 1;            ///< and after the last
  static constexpr std::size_t kStraightLength = kTail + 1;  ///< from letter to letter
  static constexpr std::size_t kLetter = kStraightLength + 1;
  static constexpr std::size_t kFrequency = kLetter + 1;  ///< [3] of the log frequency, with two bends
  static constexpr std::size_t kCount = kFrequency + 3;
};
using PathWeights = std::array<float, PathFeature::kCount>;

/// The weights with which learning starts: distances lower the score; time spent and frequency raise it.
PathWeights first_path_weights();

/// Calls visit(first + i, share) for the two knots around x, with the share of each.
template <std::size_t Size, class Visit>
void visit_knots(const std::array<float, Size>& knots, std::size_t first, float x, Visit&& visit) {
  std::size_t right = 1;
  while (right + 1 < Size && knots[right] <= x) ++right;
  const float share = std::clamp((x - knots[right - 1]) / (knots[right] - knots[right - 1]), 0.F, 1.F);
  visit(first + right - 1, 1 - share);
  visit(first + right, share);
}

inline constexpr float kSlightTurn = .3F;  ///< turns above it count twice

/// Calls visit(feature, value) for a letter that is aligned with point t.
template <class Visit>
void visit_letter(const SwipePath& path, Key letter, LetterRole role, std::size_t t, Visit&& visit) {
  const auto r = static_cast<std::size_t>(role);
  const float away = distance(path.points[t], key_centre(letter));
  visit_knots(kDistanceKnots, PathFeature::kDistance + r * kDistanceKnots.size(), away, visit);
  visit(PathFeature::kPace + r, std::max(0.F, 1 - away) * path.pace[t]);
  visit(PathFeature::kTurn + 2 * r, path.turn[t]);
  visit(PathFeature::kTurn + 2 * r + 1, std::max(0.F, path.turn[t] - kSlightTurn));
  visit(PathFeature::kLetter, 1.F);
}

/// The step of the path from point t - 1 to t as part of the stroke from one letter to the next.
struct StrokeStep {
  float away;    ///< key widths from the straight line between the letters
  float cosine;  ///< of the angle between the step and the line; 0 if either has no length
};

inline StrokeStep stroke_step(const SwipePath& path, Key from, Key to, std::size_t t) {
  const KeyboardPoint a = key_centre(from), b = key_centre(to), p = path.points[t - 1], q = path.points[t];
  const float line_x = b.x - a.x, line_y = b.y - a.y, squared = line_x * line_x + line_y * line_y;
  const float x = .5F * (p.x + q.x) - a.x, y = .5F * (p.y + q.y) - a.y;
  const float along = squared > 0 ? std::clamp((x * line_x + y * line_y) / squared, 0.F, 1.F) : 0;
  const float away_x = x - along * line_x, away_y = y - along * line_y, move_x = q.x - p.x, move_y = q.y - p.y;
  const float lengths = std::sqrt(squared * (move_x * move_x + move_y * move_y));
  const float cosine = lengths > 0 ? (move_x * line_x + move_y * line_y) / lengths : 0;
  return {.away = std::sqrt(away_x * away_x + away_y * away_y), .cosine = cosine};
}

/// Calls visit(feature, value) for the stroke step that ends at point t.
template <class Visit>
void visit_stroke(const SwipePath& path, Key from, Key to, std::size_t t, Visit&& visit) {
  const StrokeStep stroke = stroke_step(path, from, to, t);
  const float step = path.step();
  const auto scaled = [&](std::size_t feature, float share) { visit(feature, step * share); };
  visit_knots(kDistanceKnots, PathFeature::kStrokeDistance, stroke.away, scaled);
  visit_knots(kDirectionKnots, PathFeature::kStrokeDirection, stroke.cosine, scaled);
}

/// Calls visit(feature, value) for a word's natural log frequency.
template <class Visit>
void visit_frequency(float log_frequency, Visit&& visit) {
  visit(PathFeature::kFrequency, log_frequency);
  visit(PathFeature::kFrequency + 1, std::max(0.F, log_frequency + 9));
  visit(PathFeature::kFrequency + 2, std::max(0.F, log_frequency + 13));
}

}  // namespace fovea::gestures
