// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_SAMPLE_COLOUR_COLOUR_GIBBS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_SAMPLE_COLOUR_COLOUR_GIBBS_INL_H_
#undef FOVEA_SAMPLE_COLOUR_COLOUR_GIBBS_INL_H_
#else
#define FOVEA_SAMPLE_COLOUR_COLOUR_GIBBS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/graph/colour/colour_gibbs.h"
#include "fovea/graph/colour/lane_tables.h"
#include "fovea/graph/colour/linear_weights.h"
#include "fovea/mcmc/lane_draws-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using namespace mcmc::HWY_NAMESPACE;  // the vector code that samplers share

/// Scratch space of one visit, [value][lane]: weights, and then their running sums.
class LaneWeights {
 public:
  HWY_INLINE float* of(std::size_t k) { return values_ + k * hn::Lanes(Tag()); }
  HWY_INLINE void multiply(std::size_t k, Vector factor) {
    const Tag d;
    hn::Store(hn::Mul(hn::Load(d, of(k)), factor), d, of(k));
  }

 private:
  HWY_ALIGN float values_[LaneOrder::kMaxValues * LaneOrder::kLanes];
};

/// Lanes [at, at + Lanes) of a block's visit.
struct LaneVisit {
  const LaneTables& tables;
  const LaneTables::Block& block;
  const std::int32_t* values;  ///< [site]
  std::size_t at;

  /// Values of the sites that the lanes name.
  HWY_INLINE IntVector values_of(const std::int32_t* sites) const {
    const IntTag di;
    return hn::GatherIndex(di, values, hn::Load(di, sites + at));
  }
};

/// Multiplies by rows of weights, one for each of the other variable's `kOthers` values: all rows are loaded, and each
/// lane keeps the one it needs.
template <std::size_t kOthers>
HWY_INLINE void multiply_streamed(const LaneVisit& visit, const LaneTables::Slot& slot, LaneWeights& weights) {
  const Tag d;
  const IntTag di;
  const std::size_t others = kOthers > 0 ? kOthers : slot.other_values;
  const std::size_t first = visit.block.is_relative ? 1 : 0;
  const std::size_t row = (visit.block.value_count - first) * LaneTables::kLanes;
  const IntVector other = visit.values_of(visit.tables.indices.data() + slot.indices);
  const float* entry = visit.tables.streamed.data() + slot.weights + visit.at;
  for (std::size_t k = first; k < visit.block.value_count; ++k, entry += LaneTables::kLanes) {
    Vector kept = hn::Load(d, entry);
    for (std::size_t j = 1; j < others; ++j) {
      const auto is_value = hn::RebindMask(d, hn::Eq(other, hn::Set(di, static_cast<std::int32_t>(j))));
      kept = hn::IfThenElse(is_value, hn::Load(d, entry + j * row), kept);
    }
    weights.multiply(k, kept);
  }
}

HWY_INLINE void multiply_streamed(const LaneVisit& visit, const LaneTables::Slot& slot, LaneWeights& weights) {
  switch (slot.other_values) {
    case 2:
      return multiply_streamed<2>(visit, slot, weights);
    case 3:
      return multiply_streamed<3>(visit, slot, weights);
    case 4:
      return multiply_streamed<4>(visit, slot, weights);
    case 5:
      return multiply_streamed<5>(visit, slot, weights);
    default:
      return multiply_streamed<0>(visit, slot, weights);
  }
}

HWY_INLINE void multiply_shared(const LaneVisit& visit, const LaneTables::Slot& slot, LaneWeights& weights) {
  const Tag d;
  const IntVector other = visit.values_of(visit.tables.indices.data() + slot.indices);
  const float* row = visit.tables.shared.data() + slot.weights;
  if (slot.other_values <= hn::Lanes(d)) {
    const auto places = hn::IndicesFromVec(d, other);
    for (std::size_t k = 0; k < visit.block.value_count; ++k, row += LaneTables::kLanes)
      weights.multiply(k, hn::TableLookupLanes(hn::Load(d, row), places));
  } else {
    for (std::size_t k = 0; k < visit.block.value_count; ++k, row += LaneTables::kLanes)
      weights.multiply(k, hn::GatherIndex(d, row, other));
  }
}

HWY_INLINE void multiply_gathered(const LaneVisit& visit, const LaneTables::Slot& slot, LaneWeights& weights) {
  const Tag d;
  const IntTag di;
  const std::int32_t* at = visit.tables.indices.data() + slot.indices;
  IntVector entry = hn::Load(di, at + visit.at);
  const IntVector own_stride = hn::Load(di, at + LaneTables::kLanes + visit.at);
  for (std::uint32_t i = 0; i < slot.others; ++i) {
    at += 2 * LaneTables::kLanes;
    const IntVector stride = hn::Load(di, at + LaneTables::kLanes + visit.at);
    entry = hn::Add(entry, hn::Mul(stride, visit.values_of(at)));
  }
  for (std::size_t k = 0; k < visit.block.value_count; ++k) {
    weights.multiply(k, hn::GatherIndex(d, visit.tables.gathered.data(), entry));
    entry = hn::Add(entry, own_stride);
  }
}

HWY_INLINE void multiply_unary(const LaneVisit& visit, LaneWeights& weights) {
  const Tag d;
  const float* unary = visit.tables.streamed.data() + visit.block.unary + visit.at;
  for (std::size_t k = 0; k < visit.block.value_count; ++k)
    weights.multiply(k, hn::Load(d, unary + k * LaneTables::kLanes));
}

/// Multiplies the weights of each lane. Relative weights come first; all that follow are at most 1, so products that
/// are large enough in the end were large enough throughout.
HWY_INLINE void multiply_slots(const LaneVisit& visit, LaneWeights& weights) {
  const Tag d;
  for (std::size_t k = 0; k < visit.block.value_count; ++k) hn::Store(hn::Set(d, 1.0f), d, weights.of(k));
  const LaneTables::Slot* slot = visit.tables.slots.data() + visit.block.slot_begin;
  const LaneTables::Slot* end = visit.tables.slots.data() + visit.block.slot_end;
  for (; slot < end && slot->access == FactorAccess::kStreamed; ++slot) multiply_streamed(visit, *slot, weights);
  if (visit.block.has_unary) multiply_unary(visit, weights);
  for (; slot < end && slot->access == FactorAccess::kShared; ++slot) multiply_shared(visit, *slot, weights);
  for (; slot < end; ++slot) multiply_gathered(visit, *slot, weights);
}

/// Turns weights into running sums; returns the totals.
HWY_INLINE Vector accumulate(std::size_t value_count, LaneWeights& weights) {
  const Tag d;
  Vector total = hn::Zero(d);
  for (std::size_t k = 0; k < value_count; ++k) {
    total = hn::Add(total, hn::Load(d, weights.of(k)));
    hn::Store(total, d, weights.of(k));
  }
  return total;
}

/// Computes the running sums of a lane again, from scores, if its product of weights is too small.
inline HWY_NOINLINE void rescue_lanes(const LaneVisit& visit, const FactorGraph& graph,
                                      std::span<const Value> assignment, LaneWeights& sums) {
  const std::size_t value_count = visit.block.value_count;
  for (std::size_t lane = 0; lane < hn::Lanes(Tag()) && visit.at + lane < visit.block.lane_count; ++lane) {
    if (!(sums.of(value_count - 1)[lane] < kTooSmallWeight)) continue;
    const VariableId v = visit.tables.variables[visit.block.first_site + visit.at + lane];
    std::vector<float> weights(value_count, 0);
    if (!weigh_by_scores(graph, v, assignment, weights)) weights[assignment[v]] = 1;  // it keeps its value
    float sum = 0;
    for (std::size_t k = 0; k < value_count; ++k) sums.of(k)[lane] = sum += weights[k];
  }
}

/// Draws the value of each lane: the first whose running sum passes a random point below the last sum.
HWY_INLINE IntVector draw_values(LaneDraws& random, const LaneVisit& visit, Vector total, LaneWeights& sums) {
  const Tag d;
  const IntTag di;
  const Vector point = random.threshold(total);
  IntVector passed = hn::Zero(di);
  for (std::size_t k = 0; k + 1 < visit.block.value_count; ++k) {
    const auto is_passed = hn::RebindMask(di, hn::Le(hn::Load(d, sums.of(k)), point));
    passed = hn::Sub(passed, hn::VecFromMask(di, is_passed));
  }
  return passed;
}

/// Draws the same from any stream of semantic draws (the enumerator among them), lane by lane.
template <class AnyRandom>
IntVector draw_values(AnyRandom& random, const LaneVisit& visit, Vector, LaneWeights& sums) {
  HWY_ALIGN std::int32_t drawn[LaneTables::kLanes] = {};
  std::vector<float> weights(visit.block.value_count);
  for (std::size_t lane = 0; lane < hn::Lanes(Tag()) && visit.at + lane < visit.block.lane_count; ++lane) {
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = sums.of(k)[lane] - (k > 0 ? sums.of(k - 1)[lane] : 0);
    drawn[lane] = static_cast<std::int32_t>(random.categorical(std::span<const float>(weights)));
  }
  return hn::Load(IntTag(), drawn);
}

/// Draws the values of the lanes [at, at + Lanes) of a block given all others. Lanes without a variable get arbitrary
/// values.
template <class AnyRandom>
HWY_INLINE void visit_lanes(const LaneTables& tables, const LaneTables::Block& block, std::size_t at,
                            const FactorGraph& graph, LaneValues& state, AnyRandom& random) {
  const Tag d;
  LaneWeights weights;
  const LaneVisit visit = {.tables = tables, .block = block, .values = state.sites.data(), .at = at};
  multiply_slots(visit, weights);
  Vector total = accumulate(block.value_count, weights);
  if (!hn::AllFalse(d, hn::Lt(total, hn::Set(d, kTooSmallWeight)))) {
    rescue_lanes(visit, graph, state.assignment, weights);
    total = hn::Load(d, weights.of(block.value_count - 1));
  }
  hn::Store(draw_values(random, visit, total, weights), IntTag(), state.sites.data() + block.first_site + at);
}

/// Copies the values of a block to the assignment.
HWY_INLINE void publish(const LaneTables& tables, const LaneTables::Block& block, LaneValues& state) {
  const VariableId* variables = tables.variables.data() + block.first_site;
  const std::int32_t* values = state.sites.data() + block.first_site;
  for (std::size_t lane = 0; lane < block.lane_count; ++lane)
    state.assignment[variables[lane]] = static_cast<Value>(values[lane]);
}

}  // namespace fovea::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
