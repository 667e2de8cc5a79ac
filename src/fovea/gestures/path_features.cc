// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/path_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace fovea::gestures {
namespace {

constexpr std::size_t kLookAround = 2;  // points on either side from which a turn is measured
constexpr float kOnKey = .45F;          // key widths: nearer than this costs nothing
constexpr std::size_t kMostRuns = 512;  // more keys than any word has: pace is left at 0
constexpr float kPseudoEvents = .3F;

struct KeyRun {
  Key key;
  float events;
};

std::vector<KeyRun> runs_of(const std::vector<Key>& events) {
  std::vector<KeyRun> runs;
  for (const Key key : events) {
    if (runs.empty() || runs.back().key != key) runs.push_back({.key = key, .events = 0});
    ++runs.back().events;
  }
  return runs;
}

enum class Move : char { kNone, kPoint, kRun, kBoth };

/// Dynamic time warping; the moves by which each (run, point) is best reached.
std::vector<std::array<Move, SwipePath::kPoints>> match(const std::vector<KeyRun>& runs, const SwipePath& path) {
  std::vector<std::array<Move, SwipePath::kPoints>> moves(runs.size());
  std::array<float, SwipePath::kPoints> before{}, here{};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t t = 0; t < SwipePath::kPoints; ++t) {
      float best = r == 0 && t == 0 ? 0 : std::numeric_limits<float>::max();
      const auto offer = [&](float cost, Move move) {
        if (cost >= best) return;
        best = cost;
        moves[r][t] = move;
      };
      if (t > 0) offer(here[t - 1], Move::kPoint);
      if (r > 0 && t > 0) offer(before[t - 1], Move::kBoth);
      if (r > 0) offer(before[t], Move::kRun);
      here[t] = best + std::max(0.F, distance(path.points[t], key_centre(runs[r].key)) - kOnKey);
    }
    before = here;
  }
  return moves;
}

void set_pace(const std::vector<Key>& events, SwipePath& path) {
  const std::vector<KeyRun> runs = runs_of(events);
  if (runs.empty() || runs.size() > kMostRuns) return;
  const auto moves = match(runs, path);
  std::vector<std::vector<std::size_t>> points(runs.size());
  std::size_t r = runs.size() - 1, t = SwipePath::kPoints - 1;
  for (Move move = Move::kBoth; move != Move::kNone;) {
    points[r].push_back(t);
    move = moves[r][t];
    if (move == Move::kPoint || move == Move::kBoth) --t;
    if (move == Move::kRun || move == Move::kBoth) --r;
  }
  std::array<float, SwipePath::kPoints> time{};
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const std::size_t point : points[run])
      time[point] += runs[run].events / static_cast<float>(points[run].size());
  path.events = static_cast<float>(events.size());
  const float mean = path.events / static_cast<float>(SwipePath::kPoints);
  for (std::size_t k = 0; k < SwipePath::kPoints; ++k)
    path.pace[k] = std::log((time[k] + kPseudoEvents) / (mean + kPseudoEvents));
}

}  // namespace

SwipePath swipe_path(const Gesture& gesture) {
  FOVEA_CHECK(!gesture.points.empty());
  SwipePath path;
  path.points = resample<SwipePath::kPoints>(gesture.points);
  for (std::size_t t = 1; t < SwipePath::kPoints; ++t) path.length += distance(path.points[t - 1], path.points[t]);
  path.turn.fill(1);
  for (std::size_t t = kLookAround; t + kLookAround < SwipePath::kPoints; ++t) {
    const KeyboardPoint from = path.points[t - kLookAround], at = path.points[t], to = path.points[t + kLookAround];
    const float dot = (at.x - from.x) * (to.x - at.x) + (at.y - from.y) * (to.y - at.y);
    path.turn[t] = .5F * (1 - dot / (distance(from, at) * distance(at, to) + 1e-6F));
  }
  set_pace(gesture.events, path);
  return path;
}

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
