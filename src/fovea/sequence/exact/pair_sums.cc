// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/pair_sums.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/exact/pair_sums.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/sequence/exact/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::internal::HWY_NAMESPACE {

/// to = weights * scale * (alpha from); returns the sum of `to`.
template <class Real>
HWY_INLINE Real forward_step(const PairWeights<Real>& pairs, const Real* alpha, const Real* weights, Real scale,
                             Real* to) {
  const TagOf<Real> d;
  const auto scales = hn::Set(d, scale);
  auto sum = hn::Zero(d);
  for_each_tile<Real>(pairs.stride, [&](std::size_t at, auto vectors) HWY_ATTR {
    VectorOf<Real> sums[vectors];
    weighted_rows<SumProduct, vectors>(alpha, pairs.labels, pairs.from.data() + at, pairs.stride, sums);
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t lane = at + v * lanes<Real>();
      const auto product = hn::Mul(sums[v], hn::Mul(hn::Load(d, weights + lane), scales));
      hn::Store(product, d, to + lane);
      sum = hn::Add(sum, product);
    }
  });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class Real>
bool forward_over_pairs(const PairWeights<Real>& pairs, std::size_t length, PairSums<Real>& sums) {
  const std::size_t stride = pairs.stride;
  std::copy_n(sums.weights.data(), stride, sums.alpha.data());
  Real scale = row_sum(sums.alpha.data(), stride);
  LogProduct inverse;
  for (std::size_t t = 0;; ++t) {
    if (!(scale >= std::numeric_limits<Real>::min())) return false;
    const Real inverse_scale = 1 / scale;
    sums.scale[t] = scale;
    sums.inverse_scale[t] = inverse_scale;
    inverse.multiply(double{inverse_scale});
    if (t + 1 == length) break;
    scale = forward_step(pairs, sums.alpha.data() + t * stride, sums.weights.data() + (t + 1) * stride, inverse_scale,
                         sums.alpha.data() + (t + 1) * stride);
  }
  sums.log_sum = -inverse.log();
  return true;
}

/// b_{t-1} from b_t, in place; weights become u_t b_t / c_{t-1}.
template <class Real>
HWY_INLINE void backward_step(const PairWeights<Real>& pairs, Real inverse_scale, Real* weights, Real* beta) {
  const TagOf<Real> d;
  const auto scale = hn::Set(d, inverse_scale);
  for_each_vector<Real>(pairs.stride, [&](std::size_t at) HWY_ATTR {
    const auto product = hn::Mul(hn::Load(d, weights + at), hn::Mul(hn::Load(d, beta + at), scale));
    hn::Store(product, d, weights + at);
  });
  for_each_tile<Real>(pairs.stride, [&](std::size_t at, auto vectors) HWY_ATTR {
    VectorOf<Real> sums[vectors];
    weighted_rows<SumProduct, vectors>(weights, pairs.labels, pairs.into.data() + at, pairs.stride, sums);
    for (std::size_t v = 0; v < vectors; ++v) hn::Store(sums[v], d, beta + at + v * lanes<Real>());
  });
}

template <class Real>
bool backward_over_pairs(const PairWeights<Real>& pairs, std::size_t length, Real* marginals, PairSums<Real>& sums) {
  constexpr bool kIsSingle = sizeof(Real) == sizeof(float);
  constexpr std::size_t kInterval = 32;
  const TagOf<Real> d;
  const std::size_t stride = pairs.stride;
  Real* beta = sums.beta.data();
  std::fill_n(beta, stride, sums.inverse_scale[length - 1]);
  auto highest = hn::Zero(d);
  Real highest_inverse = 0;
  for (std::size_t t = length; t-- > 0;) {
    const Real* alpha = sums.alpha.data() + t * stride;
    if (kIsSingle && t % kInterval == 0) renormalise(alpha, beta, stride);
    for_each_vector<Real>(stride, [&](std::size_t at) HWY_ATTR {
      const auto b = hn::Load(d, beta + at);
      highest = hn::Max(b, highest);
      if (marginals == nullptr) return;
      const auto product = hn::Mul(b, hn::Load(d, alpha + at));
      hn::StoreU(kIsSingle ? hn::Min(product, hn::Set(d, Real{1})) : product, d, marginals + t * stride + at);
    });
    if (t == 0) break;
    highest_inverse = std::max(highest_inverse, sums.inverse_scale[t - 1]);
    backward_step(pairs, sums.inverse_scale[t - 1], sums.weights.data() + t * stride, beta);
  }
  const Real highest_beta = hn::GetLane(hn::MaxOfLanes(d, highest));
  return highest_beta <= PairSums<Real>::kMaxBeta && highest_beta * highest_inverse <= PairSums<Real>::kMaxQuotient;
}

/// sums += v, in double precision.
template <class Real>
HWY_INLINE void add_to_doubles(VectorOf<Real> v, double* sums) {
  const TagOf<Real> d;
  HWY_ALIGN Real values[hn::MaxLanes(TagOf<Real>())];
  hn::Store(v, d, values);
  for (std::size_t i = 0; i < hn::MaxLanes(d); ++i) sums[i] += double{values[i]};
}

/// counts[j..j + kRows)[at..] += from * sum over t in [begin, end) of a_{t-1}(j) * w_t.
template <std::size_t kRows, std::size_t kVectors, class Real>
HWY_INLINE void count_block(const PairWeights<Real>& pairs, const PairSums<Real>& sums, std::size_t begin,
                            std::size_t end, std::size_t j, std::size_t at, double* counts) {
  const TagOf<Real> d;
  const std::size_t stride = pairs.stride;
  VectorOf<Real> total[kRows][kVectors];
  for (auto& row : total)
    for (auto& v : row) v = hn::Zero(d);
  const Real* alpha = sums.alpha.data() + (begin - 1) * stride + j;
  const Real* weights = sums.weights.data() + begin * stride + at;
  for (std::size_t t = begin; t < end; ++t, alpha += stride, weights += stride) {
    VectorOf<Real> right[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) right[v] = hn::Load(d, weights + v * lanes<Real>());
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto left = hn::Set(d, alpha[r]);
      for (std::size_t v = 0; v < kVectors; ++v) total[r][v] = hn::MulAdd(left, right[v], total[r][v]);
    }
  }
  for (std::size_t r = 0; r < std::min(kRows, pairs.labels - j); ++r)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t lane = (j + r) * stride + at + v * lanes<Real>();
      add_to_doubles<Real>(hn::Mul(total[r][v], hn::Load(d, pairs.from.data() + lane)), counts + lane);
    }
}

template <class Real>
void count_pairs(const PairWeights<Real>& pairs, std::size_t length, const PairSums<Real>& sums, double* counts) {
  for (std::size_t begin = 1, end = 0; begin < length; begin = end) {
    end = begin + std::min(PairSums<Real>::kCountBlock, length - begin);
    for_each_tile<Real>(pairs.stride, [&](std::size_t at, auto vectors) HWY_ATTR {
      constexpr std::size_t kRows = vectors == 1 ? 8 : 4;
      for (std::size_t j = 0; j < pairs.labels; j += kRows)
        count_block<kRows, vectors>(pairs, sums, begin, end, j, at, counts);
    });
  }
}

bool exponentiate_each(const float* unary, std::size_t length, std::size_t stride, float* weights, double& shift) {
  for (std::size_t t = 0; t < length; ++t) {
    const float highest = exponentiate(unary + t * stride, stride, weights + t * stride);
    if (highest == kImpossibleF) return false;
    shift += double{highest};
  }
  return true;
}

template <class Real>
typename PairSums<Real>::Recursions recursions() {
  return {forward_over_pairs<Real>, backward_over_pairs<Real>, count_pairs<Real>};
}

// What is dispatched must not be a template.
PairSums<float>::Recursions single_recursions() { return recursions<float>(); }
PairSums<double>::Recursions double_recursions() { return recursions<double>(); }

}  // namespace fovea::sequence::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence::internal {

HWY_EXPORT(exponentiate_each);
HWY_EXPORT(single_recursions);
HWY_EXPORT(double_recursions);

template <class Real>
void PairWeights<Real>::resize(std::size_t label_count) {
  if (label_count == labels) return;
  labels = label_count;
  stride = pair_stride<Real>(labels);
  from.assign((labels + 3) / 4 * 4 * stride, Real{0});
  into.assign(from.size(), Real{0});
}

template <class Real>
void PairWeights<Real>::transpose() {
  for (std::size_t j = 0; j < labels; ++j)
    for (std::size_t k = 0; k < labels; ++k) into[k * stride + j] = from[j * stride + k];
}

template <>
PairSums<float>::Recursions PairSums<float>::recursions() {
  return HWY_DYNAMIC_DISPATCH(single_recursions)();
}
template <>
PairSums<double>::Recursions PairSums<double>::recursions() {
  return HWY_DYNAMIC_DISPATCH(double_recursions)();
}

template <class Real>
void PairSums<Real>::resize(const PairWeights<Real>& pairs, std::size_t length) {
  if (weights.size() < length * pairs.stride) {
    weights.resize(length * pairs.stride);
    alpha.resize(length * pairs.stride);
  }
  if (inverse_scale.size() < length) {
    scale.resize(length);
    inverse_scale.resize(length);
  }
  beta.resize(pairs.stride);
}

template <class Real>
bool PairSums<Real>::forward(const PairWeights<Real>& pairs, std::size_t length) {
  return recursions().forward(pairs, length, *this);
}

template <class Real>
bool PairSums<Real>::backward(const PairWeights<Real>& pairs, std::size_t length, Real* marginals) {
  return recursions().backward(pairs, length, marginals, *this);
}

template <class Real>
void PairSums<Real>::add_pairs(const PairWeights<Real>& pairs, std::size_t length, double* counts) const {
  recursions().count(pairs, length, *this, counts);
}

template struct PairWeights<float>;
template struct PairWeights<double>;
template class PairSums<float>;
template class PairSums<double>;

bool exponentiate_tokens(const float* unary, std::size_t length, std::size_t stride, float* weights, double& shift) {
  return HWY_DYNAMIC_DISPATCH(exponentiate_each)(unary, length, stride, weights, shift);
}

}  // namespace fovea::sequence::internal
#endif
