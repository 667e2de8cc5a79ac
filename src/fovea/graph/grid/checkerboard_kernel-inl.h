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

#include "fovea/graph/grid/checkerboard_kernel.h"
#include "fovea/graph/grid/grid_model.h"
#include "fovea/mcmc/fast_exp-inl.h"
#include "fovea/mcmc/lane_draws-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using namespace mcmc::HWY_NAMESPACE;  // the vector code that samplers share

using LaneMask = hn::Mask<Tag>;

/// One strip: pointers to its labels, to its neighbours' labels and to its unary scores.
struct Strip {
  std::uint8_t* own;
  const std::uint8_t* neighbours[4];  ///< [direction]
  const float* unary;                 ///< [label][kStripSites]
  int sites;                          ///< from here on lanes are padding; may exceed kStripSites
};

/// The strips of a colour in a row, with a local copy of what they share: labels are bytes, and compilers must assume
/// that storing a byte changes anything that is not local.
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

/// Does the same without reporting what changed.
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

/// Scratch space of one visit: [label][lane].
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

/// ... and the same from any stream of semantic draws (including the enumerator), site by site.
template <class AnyRandom>
IntVector draw(AnyRandom& random, std::size_t count, Vector, SiteScores& sums, const Strip& strip, std::size_t at) {
  const IntTag di;
  HWY_ALIGN std::int32_t drawn[kStripSites] = {};
  for (std::size_t lane = 0; lane < hn::Lanes(di) && static_cast<int>(at + lane) < strip.sites; ++lane)
    drawn[lane] = static_cast<std::int32_t>(draw_at(random, count, sums, lane));
  return hn::Load(di, drawn);
}

/// The lowest label with the best score, or the present label if it has that score too.
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

/// Result of a visit, lane by lane.
struct VisitedLanes {
  LaneMask changed;
  Vector total;  ///< 1 / (probability of the likeliest label); 1 in lanes that are not sites, and after a best visit
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

/// Calls body<kInRegister>(), true if a row of pair scores fits into a vector.
template <class Body>
HWY_INLINE void with_row_place(const CheckerboardWeights& weights, const Body& body) {
  if (weights.label_count < hn::Lanes(Tag())) body.template operator()<true>();
  else body.template operator()<false>();
}

}  // namespace fovea::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
