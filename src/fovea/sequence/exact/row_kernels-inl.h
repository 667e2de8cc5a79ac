// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_EXACT_CHAIN_ROW_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_EXACT_CHAIN_ROW_KERNELS_INL_H_
#undef FOVEA_EXACT_CHAIN_ROW_KERNELS_INL_H_
#else
#define FOVEA_EXACT_CHAIN_ROW_KERNELS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "fovea/base/log_math.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using TagOf = hn::CappedTag<Real, 64 / sizeof(Real)>;
template <class Real>
using VectorOf = hn::Vec<TagOf<Real>>;
using Tag = TagOf<float>;
using Vector = VectorOf<float>;

inline constexpr std::size_t kMaxTile = 4;  // vectors of a row that are worked on at once

template <class Real = float>
HWY_INLINE std::size_t lanes() {
  return hn::Lanes(TagOf<Real>());
}

/// The two semirings: combine(sum, extend(weight, score)).
struct MaxPlus {
  template <class D>
  static HWY_INLINE hn::Vec<D> zero(D d) {
    return hn::Set(d, static_cast<hn::TFromD<D>>(kImpossibleF));
  }
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Max(a, b);
  }
  template <class V>
  static HWY_INLINE V extend(V a, V b) {
    return hn::Add(a, b);
  }
  template <class V>
  static HWY_INLINE V add_extended(V sum, V weight, V score) {
    return hn::Max(sum, hn::Add(weight, score));
  }
};

struct SumProduct {
  template <class D>
  static HWY_INLINE hn::Vec<D> zero(D d) {
    return hn::Zero(d);
  }
  template <class V>
  static HWY_INLINE V combine(V a, V b) {
    return hn::Add(a, b);
  }
  template <class V>
  static HWY_INLINE V extend(V a, V b) {
    return hn::Mul(a, b);
  }
  template <class V>
  static HWY_INLINE V add_extended(V sum, V weight, V score) {
    return hn::MulAdd(weight, score, sum);
  }
};

/// Independent chains of operations that hide the latency of one. In double precision labels are few, and two will do.
template <class Real>
constexpr std::size_t chains_of(std::size_t vectors) {
  return vectors == 1 && sizeof(Real) == sizeof(float) ? 4 : 2;
}

/// sums[0..kVectors) = sum over j < count of weights[j] * rows[j][..] in the semiring, by kChains chains of operations
/// (0: as many as hide the latency). `count` is rounded up to a multiple of their number (rows and weights must allow
/// it).
template <class Semiring, std::size_t kVectors, std::size_t kGivenChains = 0, class Real>
HWY_INLINE void weighted_rows(const Real* weights, std::size_t count, const Real* rows, std::size_t stride,
                              VectorOf<Real>* sums) {
  constexpr std::size_t kChains = kGivenChains > 0 ? kGivenChains : chains_of<Real>(kVectors);
  static_assert(kChains == 1 || kChains == 2 || kChains == 4);
  const TagOf<Real> d;
  VectorOf<Real> partial[kChains][kVectors];
  for (auto& chain : partial)
    for (auto& v : chain) v = Semiring::zero(d);
  for (std::size_t j = 0; j < count; j += kChains)
    for (std::size_t c = 0; c < kChains; ++c) {
      const auto weight = hn::Set(d, weights[j + c]);
      const Real* row = rows + (j + c) * stride;
      for (std::size_t v = 0; v < kVectors; ++v)
        partial[c][v] = Semiring::add_extended(partial[c][v], weight, hn::Load(d, row + v * lanes<Real>()));
    }
  for (std::size_t v = 0; v < kVectors; ++v) {
    sums[v] = partial[0][v];
    if constexpr (kChains > 1) sums[v] = Semiring::combine(sums[v], partial[1][v]);
    if constexpr (kChains > 2) sums[v] = Semiring::combine(sums[v], Semiring::combine(partial[2][v], partial[3][v]));
  }
}

/// Calls body(at, std::integral_constant<kVectors>) for tiles of up to kMaxTile vectors that cover [0, stride).
template <class Real = float, class Body>
HWY_INLINE void for_each_tile(std::size_t stride, const Body& body) {
  std::size_t at = 0;
  for (; at + kMaxTile * lanes<Real>() <= stride; at += kMaxTile * lanes<Real>())
    body(at, std::integral_constant<std::size_t, kMaxTile>());
  switch ((stride - at) / lanes<Real>()) {
    case 3:
      return body(at, std::integral_constant<std::size_t, 3>());
    case 2:
      return body(at, std::integral_constant<std::size_t, 2>());
    case 1:
      return body(at, std::integral_constant<std::size_t, 1>());
    default:
      return;
  }
}

template <class Real = float, class Body>
HWY_INLINE void for_each_vector(std::size_t stride, const Body& body) {
  for (std::size_t at = 0; at < stride; at += lanes<Real>()) body(at);
}

HWY_INLINE float row_max(const float* row, std::size_t stride) {
  const Tag d;
  Vector highest = hn::Load(d, row);
  for (std::size_t at = lanes(); at < stride; at += lanes()) highest = hn::Max(highest, hn::Load(d, row + at));
  return hn::GetLane(hn::MaxOfLanes(d, highest));
}

/// Finds the first lane that holds `value`, which the row must hold.
HWY_INLINE std::size_t row_find(const float* row, std::size_t stride, float value) {
  const Tag d;
  const Vector wanted = hn::Set(d, value);
  for (std::size_t at = 0; at < stride; at += lanes()) {
    const auto found = hn::FindFirstTrue(d, hn::Eq(hn::Load(d, row + at), wanted));
    if (found >= 0) return at + static_cast<std::size_t>(found);
  }
  return 0;
}

/// Number of tokens between two subtractions of the highest partial score, which keep scores small and so precise.
inline constexpr std::size_t kRecentreInterval = 16;

/// Subtracts the highest score of a row from all, unless it is -inf.
HWY_INLINE void recentre(float* row, std::size_t stride) {
  const Tag d;
  const Vector highest = hn::Set(d, std::max(row_max(row, stride), std::numeric_limits<float>::lowest()));
  for_each_vector(stride,
                  [&](std::size_t at) HWY_ATTR { hn::Store(hn::Sub(hn::Load(d, row + at), highest), d, row + at); });
}

/// exp(x) for x <= 0 or -inf; 0 where the result would not be a normal number.
HWY_INLINE Vector exp_nonpositive(Vector x) {
  const Tag d;
  const auto normal = hn::Gt(x, hn::Set(d, -87.0f));
  return hn::IfThenElseZero(normal, hn::Exp(d, hn::IfThenElseZero(normal, x)));
}

/// weights = exp(unary - its maximum); returns the maximum, -inf (and weights without meaning) if no label is allowed.
HWY_INLINE float exponentiate(const float* unary, std::size_t stride, float* weights) {
  const Tag d;
  const float highest = row_max(unary, stride);
  const Vector shift = hn::Set(d, highest);
  for_each_vector(stride, [&](std::size_t at) HWY_ATTR {
    hn::Store(exp_nonpositive(hn::Sub(hn::Load(d, unary + at), shift)), d, weights + at);
  });
  return highest;
}

template <class Real>
HWY_INLINE Real row_sum(const Real* row, std::size_t size) {
  const TagOf<Real> d;
  auto sum = hn::Zero(d);
  for_each_vector<Real>(size, [&](std::size_t at) HWY_ATTR { sum = hn::Add(sum, hn::Load(d, row + at)); });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class Real>
HWY_INLINE void scale_row(Real* row, std::size_t size, Real factor) {
  const TagOf<Real> d;
  for_each_vector<Real>(size, [&](std::size_t at) HWY_ATTR {
    hn::Store(hn::Mul(hn::Load(d, row + at), hn::Set(d, factor)), d, row + at);
  });
}

/// Scales beta so that the products alpha * beta of one token sum to 1. Rounding at many tokens would slowly spoil
/// this.
template <class Real>
HWY_INLINE void renormalise(const Real* alpha, Real* beta, std::size_t size) {
  const TagOf<Real> d;
  auto sum = hn::Zero(d);
  for_each_vector<Real>(
      size, [&](std::size_t at) HWY_ATTR { sum = hn::MulAdd(hn::Load(d, alpha + at), hn::Load(d, beta + at), sum); });
  scale_row(beta, size, 1 / hn::GetLane(hn::SumOfLanes(d, sum)));
}

}  // namespace fovea::sequence::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
