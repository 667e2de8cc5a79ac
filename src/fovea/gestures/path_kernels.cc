// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/path_kernels.h"

#include <array>
#include <cstdint>

#include "fovea/base/log_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/gestures/path_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::gestures::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kVectors = SwipePath::kPoints / kLanes;

HWY_INLINE Vector row_at(const PathRow& row, std::size_t v) { return hn::Load(Tag(), row.data() + v * kLanes); }

HWY_INLINE float largest(Vector v) { return hn::GetLane(hn::MaxOfLanes(Tag(), v)); }

HWY_INLINE void store(Vector v, PathRow& row, std::size_t at) { hn::Store(v, Tag(), row.data() + at * kLanes); }

/// [log2 of by][i]: the lane `by` before lane i, or the first; and the one after it, or the last.
struct Neighbours {
  std::int32_t before[4][kLanes], after[4][kLanes];
};
constexpr Neighbours kNeighbours = [] {
  Neighbours lanes{};
  for (std::size_t round = 0; round < 4; ++round)
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t by = std::size_t{1} << round;
      lanes.before[round][i] = static_cast<std::int32_t>(i < by ? 0 : i - by);
      lanes.after[round][i] = static_cast<std::int32_t>(i + by < kLanes ? i + by : kLanes - 1);
    }
  return lanes;
}();

/// Lane i becomes the largest of lanes 0 .. i.
HWY_INLINE Vector largest_so_far(Vector v) {
  for (std::size_t by = 1, round = 0; by < kLanes; by *= 2, ++round)
    v = hn::Max(v, hn::TableLookupLanes(v, hn::SetTableIndices(Tag(), kNeighbours.before[round])));
  return v;
}

/// Lane i becomes the largest of lanes i and after.
HWY_INLINE Vector largest_from_here(Vector v) {
  for (std::size_t by = 1, round = 0; by < kLanes; by *= 2, ++round)
    v = hn::Max(v, hn::TableLookupLanes(v, hn::SetTableIndices(Tag(), kNeighbours.after[round])));
  return v;
}

/// Lane i becomes the sum of lanes 0 .. i.
HWY_INLINE Vector sum_so_far(Vector v) {
  const Tag d;
  for (std::size_t by = 1, round = 0; by < kLanes; by *= 2, ++round) {
    const Vector before = hn::TableLookupLanes(v, hn::SetTableIndices(d, kNeighbours.before[round]));
    v = hn::Add(v, hn::IfThenZeroElse(hn::FirstN(d, by), before));
  }
  return v;
}

/// A piecewise linear function, constant beyond its knots, as a sum of bends.
template <std::size_t Knots>
class Bends {
 public:
  Bends(const std::array<float, Knots>& knots, const float* values) : knots_(knots), first_(values[0]) {
    float slope = 0;
    for (std::size_t i = 0; i + 1 < Knots; ++i) {
      const float next = (values[i + 1] - values[i]) / (knots[i + 1] - knots[i]);
      bends_[i] = next - slope;
      slope = next;
    }
  }

  Vector operator()(Vector x) const {
    const Tag d;
    x = hn::Min(x, hn::Set(d, knots_.back()));
    Vector sum = hn::Set(d, first_);
    for (std::size_t i = 0; i + 1 < Knots; ++i) {
      const Vector beyond = hn::Max(hn::Sub(x, hn::Set(d, knots_[i])), hn::Zero(d));
      sum = hn::Add(sum, hn::Mul(hn::Set(d, bends_[i]), beyond));
    }
    return sum;
  }

 private:
  const std::array<float, Knots>& knots_;
  float first_;
  std::array<float, Knots - 1> bends_{};
};

/// The steps of a path: of the one that ends at t, where its middle lies, its move and its length squared.
struct Steps {
  PathRow x{}, y{}, move_x{}, move_y{}, squared{};

  explicit Steps(const SwipePath& path) {
    for (std::size_t t = 1; t < SwipePath::kPoints; ++t) {
      const KeyboardPoint p = path.points[t - 1], q = path.points[t];
      x[t] = .5F * (p.x + q.x);
      y[t] = .5F * (p.y + q.y);
      move_x[t] = q.x - p.x;
      move_y[t] = q.y - p.y;
      squared[t] = move_x[t] * move_x[t] + move_y[t] * move_y[t];
    }
  }
};

/// As stroke_step() does, for all steps.
template <class Away, class Along>
HWY_INLINE void score_stroke(const Steps& steps, float step, KeyboardPoint a, KeyboardPoint b, const Away& away,
                             const Along& along, PathRow& sums) {
  const Tag d;
  const float line_x = b.x - a.x, line_y = b.y - a.y, squared = line_x * line_x + line_y * line_y;
  const float inverse = squared > 0 ? 1 / squared : 0;
  const Vector dx = hn::Set(d, line_x), dy = hn::Set(d, line_y), zero = hn::Zero(d);
  Vector before = zero;
  for (std::size_t v = 0; v < kVectors; ++v) {
    const Vector x = hn::Sub(row_at(steps.x, v), hn::Set(d, a.x)), y = hn::Sub(row_at(steps.y, v), hn::Set(d, a.y));
    const Vector projected = hn::Mul(hn::Add(hn::Mul(x, dx), hn::Mul(y, dy)), hn::Set(d, inverse));
    const Vector share = hn::Min(hn::Max(projected, zero), hn::Set(d, 1));
    const Vector away_x = hn::Sub(x, hn::Mul(share, dx)), away_y = hn::Sub(y, hn::Mul(share, dy));
    const Vector distance = hn::Sqrt(hn::Add(hn::Mul(away_x, away_x), hn::Mul(away_y, away_y)));
    const Vector lengths = hn::Sqrt(hn::Mul(hn::Set(d, squared), row_at(steps.squared, v)));
    const Vector product = hn::Add(hn::Mul(row_at(steps.move_x, v), dx), hn::Mul(row_at(steps.move_y, v), dy));
    const Vector cosine = hn::IfThenElseZero(hn::Gt(lengths, zero), hn::Div(product, lengths));
    Vector score = hn::Mul(hn::Set(d, step), hn::Add(away(distance), along(cosine)));
    if (v == 0) score = hn::IfThenZeroElse(hn::FirstN(d, 1), score);  // no step ends at the first point
    const Vector sum = hn::Add(sum_so_far(score), before);
    store(sum, sums, v);
    before = hn::Set(d, sums[(v + 1) * kLanes - 1]);
  }
}

void score_letters_kernel(const SwipePath& path, const PathWeights& weights, RoleRows& letters) {
  const Tag d;
  PathRow x, y, pace, turn, before;
  for (std::size_t t = 0; t < SwipePath::kPoints; ++t) {
    x[t] = path.points[t].x;
    y[t] = path.points[t].y;
    pace[t] = path.pace[t];
    turn[t] = path.turn[t];
    before[t] = path.step() * static_cast<float>(t);
  }
  const auto weight = [&](std::size_t k) HWY_ATTR { return hn::Set(d, weights[k]); };
  for (std::size_t r = 0; r < kLetterRoles; ++r) {
    const Bends near(kDistanceKnots, weights.data() + PathFeature::kDistance + r * kDistanceKnots.size());
    const std::size_t turns = PathFeature::kTurn + 2 * r;
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Vector turned = row_at(turn, v), passed = row_at(before, v);
      Vector same = weight(PathFeature::kLetter);  // of all letters
      same = hn::Add(same, hn::Mul(weight(turns), turned));
      const Vector sharply = hn::Max(hn::Sub(turned, hn::Set(d, kSlightTurn)), hn::Zero(d));
      same = hn::Add(same, hn::Mul(weight(turns + 1), sharply));
      if (static_cast<LetterRole>(r) == LetterRole::kFirst)
        same = hn::Add(same, hn::Mul(weight(PathFeature::kHead), passed));
      if (static_cast<LetterRole>(r) == LetterRole::kLast)
        same = hn::Add(same, hn::Mul(weight(PathFeature::kTail), hn::Sub(hn::Set(d, path.length), passed)));
      const Vector paces = hn::Mul(weight(PathFeature::kPace + r), row_at(pace, v));
      for (Key letter = 0; letter < kKeyCount; ++letter) {
        const KeyboardPoint key = key_centre(letter);
        const Vector dx = hn::Sub(row_at(x, v), hn::Set(d, key.x)), dy = hn::Sub(row_at(y, v), hn::Set(d, key.y));
        const Vector away = hn::Sqrt(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)));
        const Vector close = hn::Max(hn::Sub(hn::Set(d, 1), away), hn::Zero(d));
        store(hn::Add(hn::Add(near(away), hn::Mul(paces, close)), same), letters[r][letter], v);
      }
    }
  }
}

void score_strokes_kernel(const SwipePath& path, const PathWeights& weights, PairRows& strokes) {
  const Steps steps(path);
  const Bends away(kDistanceKnots, weights.data() + PathFeature::kStrokeDistance);
  const Bends along(kDirectionKnots, weights.data() + PathFeature::kStrokeDirection);
  for (Key from = 0; from < kKeyCount; ++from)
    for (Key to = 0; to < kKeyCount; ++to)
      score_stroke(steps, path.step(), key_centre(from), key_centre(to), away, along, strokes[from][to]);
}

/// bounds.rest and bounds.go_on of a letter.
HWY_INLINE void bound_letter(Key letter, const PathRow& last, const PathRow& inner, const RestBounds* fewer,
                             RestBounds& bounds) {
  const Tag d;
  for (std::size_t v = 0; v < kVectors; ++v) {
    Vector next = hn::Set(d, kImpossibleF);
    for (Key b = 0; fewer != nullptr && b < kKeyCount; ++b) next = hn::Max(next, row_at(fewer->leave[letter][b], v));
    store(next, bounds.next[letter], v);
    const Vector go_on = hn::Add(row_at(inner, v), next);
    store(go_on, bounds.go_on[letter], v);
    store(hn::Max(row_at(last, v), go_on), bounds.rest[letter], v);
  }
}

void bound_rest_kernel(const LetterRows& last, const LetterRows& inner, const PairRows& strokes,
                       const PairScores& straight, const RestBounds* fewer, RestBounds& bounds) {
  for (Key c = 0; c < kKeyCount; ++c) bound_letter(c, last[c], inner[c], fewer, bounds);
  for (Key c = 0; c < kKeyCount; ++c)
    for (Key b = 0; b < kKeyCount; ++b) {
      const Vector length = hn::Set(Tag(), straight[c][b]);
      Vector later = hn::Set(Tag(), kImpossibleF);
      for (std::size_t v = kVectors; v-- > 0;) {
        const Vector stroke = row_at(strokes[c][b], v);
        later = hn::Max(largest_from_here(hn::Add(stroke, row_at(bounds.rest[b], v))), later);
        store(hn::Add(hn::Sub(later, stroke), length), bounds.leave[c][b], v);
        later = hn::MaxOfLanes(Tag(), later);
      }
    }
}

float extend_prefix_kernel(const PathRow& arrived, const NextLetter& next, float worst, PathRow& longer) {
  const Tag d;
  Vector left[kVectors];  // score of having left the last letter at t
  Vector most = hn::Set(d, kImpossibleF);
  for (std::size_t v = 0; v < kVectors; ++v) {
    left[v] = hn::Add(row_at(arrived, v), row_at(next.own, v));
    most = hn::Max(most, hn::Add(left[v], row_at(next.leave, v)));
  }
  // The same bound as below up to rounding, without the order of points: most letters get no further.
  if (hn::AllFalse(d, hn::Gt(hn::Add(most, hn::Set(d, next.frequency)), hn::Set(d, worst)))) return kImpossibleF;
  const Vector impossible = hn::Set(d, kImpossibleF), least = hn::Set(d, worst);
  const Vector straight = hn::Set(d, next.straight), bases = hn::Set(d, next.straight + next.frequency);
  Vector best = impossible, bound = impossible;
  for (std::size_t v = 0; v < kVectors; ++v) {
    const Vector stroke = row_at(next.stroke, v);
    const Vector left_by_now = hn::Max(largest_so_far(hn::Sub(left[v], stroke)), best);
    best = hn::MaxOfLanes(d, left_by_now);
    const Vector here = hn::Add(left_by_now, stroke);
    const Vector total = hn::Add(hn::Add(here, row_at(next.rest, v)), bases);
    const auto hopeful = hn::Gt(total, least);
    bound = hn::Max(bound, hn::IfThenElse(hopeful, total, impossible));
    store(hn::IfThenElse(hopeful, hn::Add(here, straight), impossible), longer, v);
  }
  return largest(bound);
}

float largest_sum_kernel(const PathRow& a, const PathRow& b) {
  Vector most = hn::Set(Tag(), kImpossibleF);
  for (std::size_t v = 0; v < kVectors; ++v) most = hn::Max(most, hn::Add(row_at(a, v), row_at(b, v)));
  return largest(most);
}

}  // namespace fovea::gestures::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::gestures::internal {

HWY_EXPORT(score_letters_kernel);
HWY_EXPORT(score_strokes_kernel);
HWY_EXPORT(bound_rest_kernel);
HWY_EXPORT(extend_prefix_kernel);
HWY_EXPORT(largest_sum_kernel);

void score_letters(const SwipePath& path, const PathWeights& weights, RoleRows& letters) {
  HWY_DYNAMIC_DISPATCH(score_letters_kernel)(path, weights, letters);
}

void score_strokes(const SwipePath& path, const PathWeights& weights, PairRows& strokes) {
  HWY_DYNAMIC_DISPATCH(score_strokes_kernel)(path, weights, strokes);
}

void bound_rest(const LetterRows& last, const LetterRows& inner, const PairRows& strokes, const PairScores& straight,
                const RestBounds* fewer, RestBounds& bounds) {
  HWY_DYNAMIC_DISPATCH(bound_rest_kernel)(last, inner, strokes, straight, fewer, bounds);
}

float extend_prefix(const PathRow& arrived, const NextLetter& next, float worst, PathRow& longer) {
  return HWY_DYNAMIC_DISPATCH(extend_prefix_kernel)(arrived, next, worst, longer);
}

float largest_sum(const PathRow& a, const PathRow& b) { return HWY_DYNAMIC_DISPATCH(largest_sum_kernel)(a, b); }

}  // namespace fovea::gestures::internal
#endif
