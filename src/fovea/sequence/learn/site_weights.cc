// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/site_weights.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/learn/site_weights.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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
namespace {
HWY_EXPORT(weigh);
}  // namespace

float site_weights(const float* unary, std::span<const float* const> rows, std::size_t label_count, std::size_t stride,
                   float* weights) {
  return HWY_DYNAMIC_DISPATCH(weigh)(unary, rows, label_count, stride, weights);
}

}  // namespace fovea::sequence
#endif
