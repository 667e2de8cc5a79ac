// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_EXACT_CHAIN_STATE_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_EXACT_CHAIN_STATE_KERNELS_INL_H_
#undef FOVEA_EXACT_CHAIN_STATE_KERNELS_INL_H_
#else
#define FOVEA_EXACT_CHAIN_STATE_KERNELS_INL_H_
#endif

#include "fovea/sequence/exact/row_kernels-inl.h"
#include "fovea/sequence/exact/state_plan.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::internal::HWY_NAMESPACE {

/// Fills the tables of StatePlan's step. rows: [slot][stride]; passes: [hub][stride]; tables: [table][stride].
template <class Semiring>
HWY_INLINE void fill_tables(const StatePlan& plan, const float* unary, const float* alpha, const float* rows,
                            const float* passes, float* tables) {
  const Tag d;
  const std::size_t stride = plan.stride;
  for_each_tile(stride, [&](std::size_t at, auto vectors) HWY_ATTR {
    Vector unaries[vectors];
    for (std::size_t v = 0; v < vectors; ++v) unaries[v] = hn::Load(d, unary + at + v * lanes());
    float* table = tables + at;
    for (const StatePlan::Hub& hub : plan.hubs) {
      Vector sums[vectors];
      weighted_rows<Semiring, vectors, 1>(alpha + hub.slot, hub.slot_end - hub.slot, rows + hub.slot * stride + at,
                                          stride, sums);
      for (std::size_t v = 0; v < vectors; ++v) sums[v] = Semiring::extend(sums[v], unaries[v]);
      for (std::size_t sub = hub.sub; sub < hub.sub_end; ++sub)
        for (std::size_t v = 0; v < vectors; ++v) {
          const std::size_t lane = sub * stride + at + v * lanes();
          sums[v] = Semiring::add_extended(sums[v], hn::Load(d, tables + lane), hn::Load(d, passes + lane));
        }
      for (std::size_t v = 0; v < vectors; ++v) hn::Store(sums[v], d, table + v * lanes());
      table += stride;
    }
  });
}

/// Gathers alpha' from the tables. Plain loads and stores are as fast as gather instructions here.
HWY_INLINE void gather_states(const StatePlan& plan, const float* tables, float* alpha) {
  for (std::size_t i = 0; i < plan.row_size; ++i) alpha[i] = tables[plan.source[i]];
}

}  // namespace fovea::sequence::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
