// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_SAMPLE_GRID_CHECKERBOARD_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_SAMPLE_GRID_CHECKERBOARD_KERNEL_INL_H_
#undef FOVEA_SAMPLE_GRID_CHECKERBOARD_KERNEL_INL_H_
#else
#define FOVEA_SAMPLE_GRID_CHECKERBOARD_KERNEL_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/sample/fast_exp-inl.h"
#include "fovea/sample/grid/checkerboard_kernel.h"
#include "fovea/sample/grid/grid_model.h"
#include "fovea/sample/lane_draws-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

using LaneMask = hn::Mask<Tag>;

/// One strip: where its labels, their neighbours' and its unary scores lie.
struct Strip {
  std::uint8_t* own;
  const std::uint8_t* neighbours[4];  ///< [direction]
  const float* unary;                 ///< [label][kStripSites]
  int sites;                          ///< above this lanes are padding; may exceed kStripSites
};

/// The strips of a colour in a row. A copy of what they share: labels are bytes, and compilers must assume that storing
/// a byte changes anything that is not local.
class StripRow {
 public:
  HWY_INLINE StripRow(const GridModel& model, GridLabeling& labeling, std::size_t colour, std::size_t row)
      : unary_step_(model.unary(1) - model.unary(0)) {
    const auto r = static_cast<std::ptrdiff_t>(row);
    first_.own = labeling.row(colour, r);
    first_.neighbours[kAbove] = labeling.row(1 - colour, r - 1);
    first_.neighbours[kBelow] = labeling.row(1 - colour, r + 1);
    first_.neighbours[kRight] = labeling.row(1 - colour, r) + model.first_column(colour, row);
    first_.neighbours[kLeft] = first_.neighbours[kRight] - 1;
    first_.unary = model.unary(model.strip_index(colour, row, 0));
    first_.sites = static_cast<int>(model.sites_in_row(colour, row));
  }

  HWY_INLINE Strip strip(std::size_t along) const {
    Strip strip = first_;
    const std::size_t first = along * kStripSites;
    strip.own += first;
    for (const std::uint8_t*& labels : strip.neighbours) labels += first;
    strip.unary += static_cast<std::ptrdiff_t>(along) * unary_step_;
    strip.sites -= static_cast<int>(first);
    return strip;
  }

 private:
  Strip first_;
  std::ptrdiff_t unary_step_;
};

HWY_INLINE IntVector load_labels(const std::uint8_t* labels) {
  const IntTag d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, IntTag>(), labels));
}

/// Stores the lowest byte of each lane: labels are below 256.
HWY_INLINE void store_bytes(IntVector labels, std::uint8_t* to) {
  const hn::RebindToUnsigned<IntTag> d;
  const hn::Rebind<std::uint8_t, IntTag> bytes;
  hn::StoreU(hn::TruncateTo(bytes, hn::BitCast(d, labels)), bytes, to);
}

/// Stores the labels of the lanes [at, at + Lanes) that are sites; returns which of them changed.
HWY_INLINE LaneMask store_labels(const Strip& strip, std::size_t at, IntVector before, IntVector chosen) {
  const IntTag d;
  const auto inside = hn::Lt(hn::Iota(d, static_cast<int>(at)), hn::Set(d, strip.sites));
  const IntVector after = hn::IfThenElse(inside, chosen, before);
  store_bytes(after, strip.own + at);
  return hn::RebindMask(Tag(), hn::Ne(after, before));
}

/// The same where nobody asks what changed.
HWY_INLINE void put_labels(const Strip& strip, std::size_t at, IntVector chosen) {
  if (static_cast<int>(at + hn::Lanes(IntTag())) <= strip.sites) store_bytes(chosen, strip.own + at);
  else store_labels(strip, at, load_labels(strip.own + at), chosen);
}

/// row[labels], lane by lane. kInRegister: the row has as many entries as there are lanes.
template <bool kInRegister>
HWY_INLINE Vector look_up(const float* row, IntVector labels) {
  const Tag d;
  if constexpr (kInRegister) return hn::TableLookupLanes(hn::Load(d, row), hn::IndicesFromVec(d, labels));
  else return hn::GatherIndex(d, row, labels);
}

/// Scratch of one visit: [label][lane].
struct SiteScores {
  HWY_ALIGN float values[GridModel::kMaxLabels * kStripSites];

  HWY_INLINE float* of(std::size_t k) { return values + k * hn::Lanes(Tag()); }
};

/// Pair scores at a temperature, in registers as far as they fit.
struct PairScores {
  explicit PairScores(const CheckerboardWeights& weights)
      : label_count(weights.label_count),
        stride(weights.pair_stride),
        coldness(hn::Set(Tag(), weights.coldness)),
        values(weights.pairs.data()) {}

  std::size_t label_count, stride;
  Vector coldness;
  const float* values;  ///< [direction][label][stride]
};

/// scores.of(k) = log p(k | rest) / temperature + const; returns the largest of each lane.
template <bool kInRegister>
HWY_INLINE Vector score_labels(const PairScores& pairs, const Strip& strip, std::size_t at, SiteScores& scores) {
  const Tag d;
  const IntVector above = load_labels(strip.neighbours[kAbove] + at),
                  below = load_labels(strip.neighbours[kBelow] + at), left = load_labels(strip.neighbours[kLeft] + at),
                  right = load_labels(strip.neighbours[kRight] + at);
  const std::size_t direction = pairs.label_count * pairs.stride;
  const float* pair = pairs.values;
  Vector best = hn::Set(d, -3e38f);
  for (std::size_t k = 0; k < pairs.label_count; ++k, pair += pairs.stride) {
    const Vector vertical = hn::Add(look_up<kInRegister>(pair + kAbove * direction, above),
                                    look_up<kInRegister>(pair + kBelow * direction, below));
    const Vector horizontal = hn::Add(look_up<kInRegister>(pair + kLeft * direction, left),
                                      look_up<kInRegister>(pair + kRight * direction, right));
    const Vector unary = hn::Load(d, strip.unary + k * kStripSites + at);
    const Vector score = hn::MulAdd(unary, pairs.coldness, hn::Add(vertical, horizontal));
    best = hn::Max(best, score);
    hn::Store(score, d, scores.of(k));
  }
  return best;
}

/// Turns scores into running sums of weights relative to the best; returns the totals, >= 1.
HWY_INLINE Vector accumulate_weights(std::size_t label_count, Vector best, SiteScores& scores) {
  const Tag d;
  Vector total = hn::Zero(d);
  for (std::size_t k = 0; k < label_count; ++k) {
    total = hn::Add(total, fast_exp(d, hn::Sub(hn::Load(d, scores.of(k)), best)));
    hn::Store(total, d, scores.of(k));
  }
  return total;
}

/// In each lane the first of `count` running sums that passes a random point ...
HWY_INLINE IntVector draw(LaneDraws& random, std::size_t count, Vector total, SiteScores& sums, const Strip&,
                          std::size_t) {
  const Tag d;
  const IntTag di;
  const Vector point = random.threshold(total);
  IntVector passed = hn::Zero(di);
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const auto is_passed = hn::RebindMask(di, hn::Le(hn::Load(d, sums.of(k)), point));
    passed = hn::Sub(passed, hn::VecFromMask(di, is_passed));
  }
  return passed;
}

template <class AnyRandom>
std::uint32_t draw_at(AnyRandom& random, std::size_t count, SiteScores& sums, std::size_t lane) {
  std::vector<float> weights(count);
  for (std::size_t k = 0; k < count; ++k) weights[k] = sums.of(k)[lane] - (k > 0 ? sums.of(k - 1)[lane] : 0);
  return random.categorical(std::span<const float>(weights));
}

/// ... and the same from any stream of semantic draws (the enumerator among them), site by site.
template <class AnyRandom>
IntVector draw(AnyRandom& random, std::size_t count, Vector, SiteScores& sums, const Strip& strip, std::size_t at) {
  const IntTag di;
  HWY_ALIGN std::int32_t drawn[kStripSites] = {};
  for (std::size_t lane = 0; lane < hn::Lanes(di) && static_cast<int>(at + lane) < strip.sites; ++lane)
    drawn[lane] = static_cast<std::int32_t>(draw_at(random, count, sums, lane));
  return hn::Load(di, drawn);
}

/// The lowest label with the best score, or the present one if that is one of them.
HWY_INLINE IntVector best_labels(std::size_t label_count, Vector best, SiteScores& scores, IntVector present) {
  const Tag d;
  const IntTag di;
  IntVector chosen = present;
  auto stays = hn::Lt(present, hn::Zero(di));  // nowhere
  for (std::size_t k = label_count; k-- > 0;) {
    const IntVector label = hn::Set(di, static_cast<int>(k));
    const auto is_best = hn::RebindMask(di, hn::Eq(hn::Load(d, scores.of(k)), best));
    stays = hn::Or(stays, hn::And(is_best, hn::Eq(label, present)));
    chosen = hn::IfThenElse(is_best, label, chosen);
  }
  return hn::IfThenElse(stays, present, chosen);
}

/// What a visit says of its lanes.
struct VisitedLanes {
  LaneMask changed;
  Vector total;  ///< 1 / (probability of the likeliest label); 1 in lanes that are no sites, and after a best visit
};

/// Visits the lanes [at, at + Lanes) of a strip.
template <GridVisit kVisit, bool kInRegister, class AnyRandom>
HWY_INLINE VisitedLanes visit_lanes(const PairScores& pairs, const Strip& strip, std::size_t at, AnyRandom& random,
                                    SiteScores& scores) {
  const Tag d;
  const Vector best = score_labels<kInRegister>(pairs, strip, at, scores);
  const IntVector before = load_labels(strip.own + at);
  if constexpr (kVisit == GridVisit::kBest) {
    const IntVector chosen = best_labels(pairs.label_count, best, scores, before);
    return {.changed = store_labels(strip, at, before, chosen), .total = hn::Set(d, 1.0f)};
  } else {
    const Vector total = accumulate_weights(pairs.label_count, best, scores);
    const IntVector chosen = draw(random, pairs.label_count, total, scores, strip, at);
    const auto inside =
        hn::RebindMask(d, hn::Lt(hn::Iota(IntTag(), static_cast<int>(at)), hn::Set(IntTag(), strip.sites)));
    return {.changed = store_labels(strip, at, before, chosen),
            .total = hn::IfThenElse(inside, total, hn::Set(d, 1.0f))};
  }
}

/// A point in [0, sums[3]) of each lane ...
HWY_INLINE Vector draw_point(LaneDraws& random, std::size_t, const Vector (&sums)[4], const Strip&, std::size_t) {
  return random.threshold(sums[3]);
}

/// ... or, from any stream of semantic draws, one that stands for the component that was drawn: one of `label_count`
/// of weight 1, then those that end at the sums.
template <class AnyRandom>
Vector draw_point(AnyRandom& random, std::size_t label_count, const Vector (&sums)[4], const Strip& strip,
                  std::size_t at) {
  const Tag d;
  SiteScores ends;
  for (std::size_t k = 0; k < label_count; ++k) hn::Store(hn::Set(d, static_cast<float>(k + 1)), d, ends.of(k));
  for (std::size_t i = 0; i < 4; ++i) hn::Store(sums[i], d, ends.of(label_count + i));
  HWY_ALIGN float points[kStripSites] = {};
  for (std::size_t lane = 0; lane < hn::Lanes(d) && static_cast<int>(at + lane) < strip.sites; ++lane) {
    const std::size_t drawn = draw_at(random, label_count + 4, ends, lane);
    points[lane] = drawn == 0 ? 0 : ends.of(drawn - 1)[lane];
  }
  return hn::Load(d, points);
}

/// A Potts model of one coupling >= 0 and no unary scores: label k has weight w(n_k), n_k its neighbours of that label,
/// relative to w(0) = 1. So the law is a mixture: with weight 1 every label, and with weight (w(n) - 1) / n the label
/// of each neighbour, n being the neighbours that share it. The price does not depend on the number of labels.
struct PlainPotts {
  explicit PlainPotts(const CheckerboardWeights& weights)
      : label_count(weights.label_count), excess(weights.potts_excess) {}

  std::size_t label_count;
  const float* excess;  ///< [neighbours that share a neighbour's label]
};

/// (w(n) - 1) / n of a neighbour's label, of which the other three may be equal; 0 beyond the border.
template <bool kHasBorder, class Mask>
HWY_INLINE Vector excess_of(const PlainPotts& potts, IntVector label, Mask first, Mask second, Mask third) {
  const IntTag di;
  const IntVector one = hn::Set(di, 1);
  IntVector others = hn::IfThenElseZero(first, one);
  others = hn::IfThenElse(second, hn::Add(others, one), others);
  others = hn::IfThenElse(third, hn::Add(others, one), others);
  const Vector excess = look_up<(hn::MaxLanes(Tag()) >= 4)>(potts.excess, others);
  if constexpr (!kHasBorder) return excess;
  const auto inside = hn::Lt(label, hn::Set(di, static_cast<int>(potts.label_count)));
  return hn::IfThenElseZero(hn::RebindMask(Tag(), inside), excess);
}

/// The integer part of 0 <= x < 256, in the lowest byte: those of floats from 2^23 on are their mantissas' lowest bits.
/// Cheaper than a conversion, which has to mind large and negative numbers.
HWY_INLINE IntVector floor_in_lowest_byte(Vector x) {
  return hn::BitCast(IntTag(), hn::Add(hn::Trunc(x), hn::Set(Tag(), 0x1p23f)));
}

/// Visits the lanes [at, at + Lanes) of a strip of a plain Potts model.
template <bool kHasBorder, class AnyRandom>
HWY_INLINE void visit_plain_potts(const PlainPotts& potts, const Strip& strip, std::size_t at, AnyRandom& random) {
  const IntTag di;
  const IntVector above = load_labels(strip.neighbours[kAbove] + at),
                  below = load_labels(strip.neighbours[kBelow] + at), left = load_labels(strip.neighbours[kLeft] + at),
                  right = load_labels(strip.neighbours[kRight] + at);
  const auto ab = hn::Eq(above, below), al = hn::Eq(above, left), ar = hn::Eq(above, right), bl = hn::Eq(below, left),
             br = hn::Eq(below, right), lr = hn::Eq(left, right);
  const Vector labels = hn::Set(Tag(), static_cast<float>(potts.label_count));
  const Vector to_above = hn::Add(labels, excess_of<kHasBorder>(potts, above, ab, al, ar));
  const Vector to_below = hn::Add(to_above, excess_of<kHasBorder>(potts, below, ab, bl, br));
  const Vector to_left = hn::Add(to_below, excess_of<kHasBorder>(potts, left, al, bl, lr));
  const Vector to_right = hn::Add(to_left, excess_of<kHasBorder>(potts, right, ar, br, lr));
  const Vector point = draw_point(random, potts.label_count, {to_above, to_below, to_left, to_right}, strip, at);
  const auto before_end = [&](Vector end) { return hn::RebindMask(di, hn::Lt(point, end)); };
  IntVector chosen = hn::IfThenElse(before_end(to_left), left, right);
  chosen = hn::IfThenElse(before_end(to_below), below, chosen);
  chosen = hn::IfThenElse(before_end(to_above), above, chosen);
  chosen = hn::IfThenElse(before_end(labels), floor_in_lowest_byte(point), chosen);
  put_labels(strip, at, chosen);
}

/// Calls body<kInRegister>(): whether a row of pair scores fits into a vector.
template <class Body>
HWY_INLINE void with_row_place(const CheckerboardWeights& weights, const Body& body) {
  if (weights.label_count < hn::Lanes(Tag())) body.template operator()<true>();
  else body.template operator()<false>();
}

}  // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
