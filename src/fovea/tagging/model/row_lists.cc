// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/error.h"
#include "fovea/tagging/model/item_scorer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/tagging/model/row_lists.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::tagging::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

/// Adds the rows to the floats [at, at + 16) of one sum.
HWY_INLINE void add_strip(const float* const* rows, std::size_t count, std::size_t at, float* HWY_RESTRICT sum) {
  const Tag d;
  constexpr std::size_t kVectors = 16 / hn::MaxLanes(Tag());
  Vector total[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) total[v] = hn::Load(d, sum + at + v * hn::Lanes(d));
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t v = 0; v < kVectors; ++v)
      total[v] = hn::Add(total[v], hn::Load(d, rows[r] + at + v * hn::Lanes(d)));
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(total[v], d, sum + at + v * hn::Lanes(d));
}

void add_lists(const float* const* rows, std::size_t count, std::size_t per_sum, std::size_t stride, float* sums) {
  for (std::size_t i = 0; i < count; ++i, rows += per_sum, sums += stride)
    for (std::size_t at = 0; at < stride; at += 16) add_strip(rows, per_sum, at, sums);
}

}  // namespace fovea::tagging::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::tagging::internal {

HWY_EXPORT(add_lists);

void add_row_lists(std::span<const float* const> rows, std::size_t per_sum, std::size_t stride, float* sums) {
  if (rows.empty()) return;
  FOVEA_CHECK(stride % 16 == 0 && per_sum > 0 && rows.size() % per_sum == 0);
  HWY_DYNAMIC_DISPATCH(add_lists)(rows.data(), rows.size() / per_sum, per_sum, stride, sums);
}

}  // namespace fovea::tagging::internal
#endif
