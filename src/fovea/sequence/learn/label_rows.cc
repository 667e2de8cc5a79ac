// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/label_rows.h"

#include <algorithm>
#include <limits>

#include "fovea/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/learn/label_rows.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/cache_control.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

// Number of entries that are added up in one go before they join the row's total.
constexpr std::uint32_t kBlock = 512;
constexpr std::uint32_t kPrefetchDistance = 12;

/// The entries of one row, and the floats [at, at + 16) of the rows they point to.
struct Strip {
  const SparseRows& matrix;
  const float* table;
  std::size_t stride;
  EntryPower power;

  HWY_INLINE const float* source(std::uint32_t entry) const {
    return table + std::size_t{matrix.columns[entry]} * stride;
  }
  HWY_INLINE float weight(std::uint32_t entry) const {
    const float value = matrix.values[entry];
    return power == EntryPower::kSquare ? value * value : value;
  }
};

template <bool kWeighted>
HWY_INLINE void add_block(const Strip& strip, std::uint32_t begin, std::uint32_t end, std::uint32_t row_end,
                          float* HWY_RESTRICT out) {
  const Tag d;
  constexpr std::size_t kVectors = 16 / hn::MaxLanes(Tag());
  Vector sums[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
  for (std::uint32_t e = begin; e < end; ++e) {
    if (e + kPrefetchDistance < row_end) hwy::Prefetch(strip.source(e + kPrefetchDistance));
    const float* source = strip.source(e);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Vector row = hn::Load(d, source + v * hn::Lanes(d));
      if constexpr (kWeighted) sums[v] = hn::MulAdd(hn::Set(d, strip.weight(e)), row, sums[v]);
      else sums[v] = hn::Add(sums[v], row);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    float* to = out + v * hn::Lanes(d);
    hn::Store(hn::Add(hn::Load(d, to), sums[v]), d, to);
  }
}

void sum_rows_target(const SparseRows& matrix, std::size_t begin, std::size_t end, const float* table,
                     std::size_t stride, float* out, EntryPower power) {
  std::fill_n(out, (end - begin) * stride, 0.0f);
  const std::uint32_t last = matrix.offsets[end];
  for (std::size_t r = begin; r < end; ++r, out += stride)
    for (std::uint32_t e = matrix.offsets[r]; e < matrix.offsets[r + 1]; e += kBlock) {
      const std::uint32_t block_end = std::min(e + kBlock, matrix.offsets[r + 1]);
      for (std::size_t at = 0; at < stride; at += 16) {
        const Strip strip{matrix, table + at, stride, power};
        if (matrix.values.empty()) add_block<false>(strip, e, block_end, last, out + at);
        else add_block<true>(strip, e, block_end, last, out + at);
      }
    }
}

float weigh(const float* unary, std::span<const float* const> rows, std::size_t label_count, std::size_t stride,
            float* weights) {
  const hn::CappedTag<float, 16> d;
  for (std::size_t at = 0; at < stride; at += hn::Lanes(d)) {
    auto score = hn::Load(d, unary + at);
    for (const float* row : rows) score = hn::Add(score, hn::Load(d, row + at));
    hn::Store(score, d, weights + at);
  }
  std::fill(weights + label_count, weights + stride, -std::numeric_limits<float>::infinity());
  auto largest = hn::Load(d, weights);
  for (std::size_t at = hn::Lanes(d); at < stride; at += hn::Lanes(d))
    largest = hn::Max(largest, hn::Load(d, weights + at));
  largest = hn::MaxOfLanes(d, largest);
  for (std::size_t at = 0; at < stride; at += hn::Lanes(d))
    hn::Store(hn::Exp(d, hn::Sub(hn::Load(d, weights + at), largest)), d, weights + at);
  return hn::GetLane(largest);
}

}  // namespace fovea::sequence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence {

HWY_EXPORT(sum_rows_target);
HWY_EXPORT(weigh);

void sum_rows(const SparseRows& matrix, std::size_t begin, std::size_t end, const float* table, std::size_t stride,
              float* out, EntryPower power) {
  FOVEA_CHECK(stride % 16 == 0);
  HWY_DYNAMIC_DISPATCH(sum_rows_target)(matrix, begin, end, table, stride, out, power);
}

float site_weights(const float* unary, std::span<const float* const> rows, std::size_t label_count, std::size_t stride,
                   float* weights) {
  return HWY_DYNAMIC_DISPATCH(weigh)(unary, rows, label_count, stride, weights);
}

}  // namespace fovea::sequence
#endif
