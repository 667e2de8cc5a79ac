// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_SAMPLE_GRID_PLAIN_POTTS_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_SAMPLE_GRID_PLAIN_POTTS_KERNEL_INL_H_
#undef FOVEA_SAMPLE_GRID_PLAIN_POTTS_KERNEL_INL_H_
#else
#define FOVEA_SAMPLE_GRID_PLAIN_POTTS_KERNEL_INL_H_
#endif

#include <cstdint>
#include <utility>

#include "fovea/graph/grid/checkerboard_kernel-inl.h"
#include "fovea/graph/grid/plain_potts.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::HWY_NAMESPACE {

/// A point in [0, sums[3]) of each lane ...
HWY_INLINE Vector draw_point(LaneDraws& random, std::size_t, const Vector (&sums)[4], const Strip&, std::size_t) {
  return random.threshold(sums[3]);
}

/// ... or, from any stream of semantic draws, one that stands for the component drawn: one of `label_count` components
/// of weight 1, or of those that end at the sums.
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

/// View of PlainPottsWeights for which compilers need not assume that storing a label changes it.
struct PlainPotts {
  explicit PlainPotts(const PlainPottsWeights& weights)
      : label_count(weights.label_count), excess(weights.excess), ends(weights.ends) {}

  std::size_t label_count;
  const float* excess;
  const float (*ends)[PlainPottsWeights::kPartitions];
};

/// (w(n) - 1) / n of a neighbour's label, given which of the other three are equal to it; 0 beyond the border.
template <class Mask>
HWY_INLINE Vector excess_of(const PlainPotts& potts, IntVector label, Mask first, Mask second, Mask third) {
  const IntTag di;
  const IntVector one = hn::Set(di, 1);
  IntVector others = hn::IfThenElseZero(first, one);
  others = hn::IfThenElse(second, hn::Add(others, one), others);
  others = hn::IfThenElse(third, hn::Add(others, one), others);
  const Vector excess = look_up<(hn::MaxLanes(Tag()) >= 4)>(potts.excess, others);
  const auto inside = hn::Lt(label, hn::Set(di, static_cast<int>(potts.label_count)));
  return hn::IfThenElseZero(hn::RebindMask(Tag(), inside), excess);
}

/// The integer part of 0 <= x < 256, in the lowest byte: from 2^23 on, the integer part of a float is the lowest bits
/// of its mantissa. Cheaper than a conversion, which has to handle large and negative numbers.
HWY_INLINE IntVector floor_in_lowest_byte(Vector x) {
  return hn::BitCast(IntTag(), hn::Add(hn::Trunc(x), hn::Set(Tag(), 0x1p23f)));
}

/// Visits the lanes [at, at + Lanes) of a strip of a plain Potts model.
template <class AnyRandom>
HWY_INLINE void visit_plain_potts(const PlainPotts& potts, const Strip& strip, std::size_t at, AnyRandom& random) {
  const IntTag di;
  const IntVector above = load_labels(strip.neighbours[kAbove] + at),
                  below = load_labels(strip.neighbours[kBelow] + at), left = load_labels(strip.neighbours[kLeft] + at),
                  right = load_labels(strip.neighbours[kRight] + at);
  const auto ab = hn::Eq(above, below), al = hn::Eq(above, left), ar = hn::Eq(above, right), bl = hn::Eq(below, left),
             br = hn::Eq(below, right), lr = hn::Eq(left, right);
  const Vector labels = hn::Set(Tag(), static_cast<float>(potts.label_count));
  const Vector to_above = hn::Add(labels, excess_of(potts, above, ab, al, ar));
  const Vector to_below = hn::Add(to_above, excess_of(potts, below, ab, bl, br));
  const Vector to_left = hn::Add(to_below, excess_of(potts, left, al, bl, lr));
  const Vector to_right = hn::Add(to_left, excess_of(potts, right, ar, br, lr));
  const Vector point = draw_point(random, potts.label_count, {to_above, to_below, to_left, to_right}, strip, at);
  const auto before_end = [&](Vector end) { return hn::RebindMask(di, hn::Lt(point, end)); };
  IntVector chosen = hn::IfThenElse(before_end(to_left), left, right);
  chosen = hn::IfThenElse(before_end(to_below), below, chosen);
  chosen = hn::IfThenElse(before_end(to_above), above, chosen);
  chosen = hn::IfThenElse(before_end(labels), floor_in_lowest_byte(point), chosen);
  put_labels(strip, at, chosen);
}

#if HWY_TARGET == HWY_SCALAR
/// Visits all strips of a row, on a torus. This target has no vectors of bytes.
HWY_INLINE void visit_potts_torus_row(const PlainPotts& potts, const StripRow& row, std::size_t strips,
                                      mcmc::LaneStream& stream) {
  for (std::size_t at = 0; at < kStripSites; ++at) {
    LaneDraws random(stream, at);
    for (std::size_t along = 0; along < strips; ++along) visit_plain_potts(potts, row.strip(along), at, random);
  }
}
#else
// Number of sites whose labels fill a vector, one byte each: one strip or several in a row, four vectors of points.
using ByteTag = hn::Repartition<std::uint8_t, Tag>;
inline constexpr std::size_t kWideSites = hn::MaxLanes(ByteTag()), kWideStrips = kWideSites / kStripSites;
inline constexpr std::size_t kStripVectors = kStripSites / hn::MaxLanes(Tag());

/// table[index] lane by lane, 0 <= index < 16.
HWY_INLINE Vector look_up_16(const float* table, IntVector index) {
  const Tag d;
  if constexpr (hn::MaxLanes(d) == 16) {
    return hn::TableLookupLanes(hn::Load(d, table), hn::IndicesFromVec(d, index));
  } else if constexpr (hn::MaxLanes(d) == 8) {
    const IntVector seven = hn::Set(IntTag(), 7);
    const auto place = hn::IndicesFromVec(d, hn::And(index, seven));
    return hn::IfThenElse(hn::RebindMask(d, hn::Gt(index, seven)), hn::TableLookupLanes(hn::Load(d, table + 8), place),
                          hn::TableLookupLanes(hn::Load(d, table), place));
  } else {
    return hn::GatherIndex(d, table, index);
  }
}

/// The lowest bytes of four vectors, one after the other.
HWY_INLINE hn::Vec<ByteTag> lowest_bytes(const IntVector (&lanes)[4]) {
  const hn::RebindToUnsigned<IntTag> d;
  const hn::Rebind<std::uint8_t, IntTag> quarter;
  const hn::Half<ByteTag> half;
  const auto bytes = [&](std::size_t i) { return hn::TruncateTo(quarter, hn::BitCast(d, lanes[i])); };
  return hn::Combine(ByteTag(), hn::Combine(half, bytes(3), bytes(2)), hn::Combine(half, bytes(1), bytes(0)));
}

/// PlainPottsWeights::partition of each site.
HWY_INLINE hn::Vec<ByteTag> neighbour_partition(hn::Vec<ByteTag> above, hn::Vec<ByteTag> below, hn::Vec<ByteTag> left,
                                                hn::Vec<ByteTag> right) {
  using Weights = PlainPottsWeights;
  const ByteTag d;
  auto sum = hn::Zero(d);
  const auto add_if_equal = [&](hn::Vec<ByteTag> a, hn::Vec<ByteTag> b, std::uint8_t weight) {
    sum = hn::IfThenElse(hn::Eq(a, b), hn::Add(sum, hn::Set(d, weight)), sum);
  };
  add_if_equal(above, below, Weights::kAboveBelow);
  add_if_equal(above, left, Weights::kAboveLeft);
  add_if_equal(above, right, Weights::kAboveRight);
  add_if_equal(below, left, Weights::kBelowLeft);
  add_if_equal(below, right, Weights::kBelowRight);
  add_if_equal(left, right, Weights::kLeftRight);
  return hn::And(sum, hn::Set(d, Weights::kPartitions - 1));
}

/// Makes the same visit to kWideStrips strips in a row that have all their sites and neighbours, with the same draws:
/// those of a strip's lanes come from draws[0] to draws[kStripVectors - 1]. Comparing bytes takes a quarter of the
/// time.
HWY_INLINE void visit_wide_potts(const PlainPotts& potts, const Strip& strip, LaneDraws* draws) {
  const ByteTag d;
  const IntTag di;
  constexpr std::size_t kLanes = hn::MaxLanes(Tag());
  constexpr int kAsAbove = PlainPottsWeights::kMaxLabels, kAsBelow = kAsAbove + 1, kAsLeft = kAsAbove + 2,
                kAsRight = kAsAbove + 3;
  const auto above = hn::LoadU(d, strip.neighbours[kAbove]), below = hn::LoadU(d, strip.neighbours[kBelow]),
             left = hn::LoadU(d, strip.neighbours[kLeft]), right = hn::LoadU(d, strip.neighbours[kRight]);
  HWY_ALIGN std::uint8_t partitions[kWideSites];
  hn::Store(neighbour_partition(above, below, left, right), d, partitions);
  IntVector drawn[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const IntVector partition = load_labels(partitions + i * kLanes);
    const Vector point = draws[i % kStripVectors].threshold(look_up_16(potts.ends[kRight], partition));
    const auto is_before = [&](Vector end) { return hn::RebindMask(di, hn::Lt(point, end)); };
    const auto is_up_to = [&](std::size_t direction) {
      return is_before(look_up_16(potts.ends[direction], partition));
    };
    drawn[i] = hn::IfThenElse(is_up_to(kLeft), hn::Set(di, kAsLeft), hn::Set(di, kAsRight));
    drawn[i] = hn::IfThenElse(is_up_to(kBelow), hn::Set(di, kAsBelow), drawn[i]);
    drawn[i] = hn::IfThenElse(is_up_to(kAbove), hn::Set(di, kAsAbove), drawn[i]);
    drawn[i] = hn::IfThenElse(is_before(hn::Set(Tag(), static_cast<float>(potts.label_count))),
                              floor_in_lowest_byte(point), drawn[i]);
  }
  auto chosen = lowest_bytes(drawn);
  const auto replace = [&](int code, hn::Vec<ByteTag> labels) {
    chosen = hn::IfThenElse(hn::Eq(chosen, hn::Set(d, static_cast<std::uint8_t>(code))), labels, chosen);
  };
  replace(kAsAbove, above);
  replace(kAsBelow, below);
  replace(kAsLeft, left);
  replace(kAsRight, right);
  hn::StoreU(chosen, d, strip.own);
}

template <std::size_t... kVector>
HWY_INLINE void visit_potts_torus_row(const PlainPotts& potts, const StripRow& row, std::size_t strips,
                                      mcmc::LaneStream& stream, std::index_sequence<kVector...>) {
  constexpr std::size_t kLanes = hn::MaxLanes(Tag());
  LaneDraws draws[] = {LaneDraws(stream, kVector * kLanes)...};
  std::size_t along = 0;
  for (; along < strips && row.strip(along).sites >= static_cast<int>(kWideSites); along += kWideStrips)
    visit_wide_potts(potts, row.strip(along), draws);
  for (; along < strips; ++along)
    for (std::size_t i = 0; i < kStripVectors; ++i) visit_plain_potts(potts, row.strip(along), i * kLanes, draws[i]);
}

/// Visits all strips of a row, on a torus: every site has four neighbours.
HWY_INLINE void visit_potts_torus_row(const PlainPotts& potts, const StripRow& row, std::size_t strips,
                                      mcmc::LaneStream& stream) {
  visit_potts_torus_row(potts, row, strips, stream, std::make_index_sequence<kStripVectors>());
}
#endif  // HWY_TARGET

}  // namespace fovea::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
