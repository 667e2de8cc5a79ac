// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/pair_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/exact/pair_sums.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/sequence/exact/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::internal::HWY_NAMESPACE {

/// to = weights * scale * (alpha from); returns the sum of `to`.
HWY_INLINE float forward_step(const PairPotentials& potentials, const float* alpha, const float* weights, float scale,
                              float* to) {
  const Tag d;
  const Vector scales = hn::Set(d, scale);
  Vector sum = hn::Zero(d);
  for_each_tile(potentials.stride, [&](std::size_t at, auto vectors) HWY_ATTR {
    Vector sums[vectors];
    weighted_rows<SumProduct, vectors>(alpha, potentials.labels, potentials.from.data() + at, potentials.stride, sums);
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t lane = at + v * lanes();
      const Vector product = hn::Mul(sums[v], hn::Mul(hn::Load(d, weights + lane), scales));
      hn::Store(product, d, to + lane);
      sum = hn::Add(sum, product);
    }
  });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

PairSums::Status forward_over_pairs(const PairPotentials& potentials, const float* unary, std::size_t length,
                                    PairSums& sums, double& log_z) {
  const std::size_t stride = potentials.stride;
  double shifts = potentials.highest * static_cast<double>(length - 1);
  for (std::size_t t = 0; t < length; ++t) {
    const float highest = exponentiate(unary + t * stride, stride, sums.weights.data() + t * stride);
    if (highest == kImpossibleF) return PairSums::Status::kInfeasible;
    shifts += double{highest};
  }
  std::copy_n(sums.weights.data(), stride, sums.alpha.data());
  float scale = row_sum(sums.alpha.data(), stride);
  LogProduct inverse;
  for (std::size_t t = 0;; ++t) {
    if (!(scale >= std::numeric_limits<float>::min())) return PairSums::Status::kUnsafe;
    const float inverse_scale = 1 / scale;
    sums.inverse_scale[t] = inverse_scale;
    inverse.multiply(double{inverse_scale});
    if (t + 1 == length) break;
    scale = forward_step(potentials, sums.alpha.data() + t * stride, sums.weights.data() + (t + 1) * stride,
                         inverse_scale, sums.alpha.data() + (t + 1) * stride);
  }
  log_z = shifts - inverse.log();
  return PairSums::Status::kDone;
}

/// b_{t-1} from b_t, in place; weights become u_t b_t / c_{t-1}.
HWY_INLINE void backward_step(const PairPotentials& potentials, float inverse_scale, float* weights, float* beta) {
  const Tag d;
  const Vector scale = hn::Set(d, inverse_scale);
  for_each_vector(potentials.stride, [&](std::size_t at) HWY_ATTR {
    const Vector product = hn::Mul(hn::Load(d, weights + at), hn::Mul(hn::Load(d, beta + at), scale));
    hn::Store(product, d, weights + at);
  });
  for_each_tile(potentials.stride, [&](std::size_t at, auto vectors) HWY_ATTR {
    Vector sums[vectors];
    weighted_rows<SumProduct, vectors>(weights, potentials.labels, potentials.into.data() + at, potentials.stride,
                                       sums);
    for (std::size_t v = 0; v < vectors; ++v) hn::Store(sums[v], d, beta + at + v * lanes());
  });
}

/// sums += v, in double precision.
HWY_INLINE void add_to_doubles(Vector v, double* sums) {
  const Tag d;
  HWY_ALIGN float values[hn::MaxLanes(Tag())];
  hn::Store(v, d, values);
  for (std::size_t i = 0; i < hn::MaxLanes(d); ++i) sums[i] += double{values[i]};
}

/// window_expectations[j..j + kRows)[at..] += from * sum over t in [begin, end) of a_{t-1}(j) * (u_t b_t / c_{t-1}).
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void count_block(const PairPotentials& potentials, const PairSums& sums, std::size_t begin, std::size_t end,
                            std::size_t j, std::size_t at, double* window_expectations) {
  const Tag d;
  const std::size_t stride = potentials.stride;
  Vector total[kRows][kVectors];
  for (auto& row : total)
    for (Vector& v : row) v = hn::Zero(d);
  const float* alpha = sums.alpha.data() + (begin - 1) * stride + j;
  const float* weights = sums.weights.data() + begin * stride + at;
  for (std::size_t t = begin; t < end; ++t, alpha += stride, weights += stride) {
    Vector right[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) right[v] = hn::Load(d, weights + v * lanes());
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector left = hn::Set(d, alpha[r]);
      for (std::size_t v = 0; v < kVectors; ++v) total[r][v] = hn::MulAdd(left, right[v], total[r][v]);
    }
  }
  for (std::size_t r = 0; r < std::min(kRows, potentials.labels - j); ++r)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t lane = (j + r) * stride + at + v * lanes();
      add_to_doubles(hn::Mul(total[r][v], hn::Load(d, potentials.from.data() + lane)), window_expectations + lane);
    }
}

PairSums::Status backward_over_pairs(const PairPotentials& potentials, std::size_t length, float* marginals,
                                     PairSums& sums, float* beta) {
  constexpr std::size_t kInterval = 32;
  const Tag d;
  const std::size_t stride = potentials.stride;
  std::fill_n(beta, stride, sums.inverse_scale[length - 1]);
  Vector highest = hn::Zero(d);
  for (std::size_t t = length; t-- > 0;) {
    const float* alpha = sums.alpha.data() + t * stride;
    if (t % kInterval == 0) renormalise(alpha, beta, stride);
    for_each_vector(stride, [&](std::size_t at) HWY_ATTR {
      const Vector b = hn::Load(d, beta + at);
      highest = hn::Max(b, highest);
      if (marginals != nullptr)
        hn::StoreU(hn::Min(hn::Mul(b, hn::Load(d, alpha + at)), hn::Set(d, 1.0f)), d, marginals + t * stride + at);
    });
    if (t > 0) backward_step(potentials, sums.inverse_scale[t - 1], sums.weights.data() + t * stride, beta);
  }
  const bool safe = hn::GetLane(hn::MaxOfLanes(d, highest)) <= PairSums::kMaxBeta;
  return safe ? PairSums::Status::kDone : PairSums::Status::kUnsafe;
}

void add_windows(const PairPotentials& potentials, std::size_t length, const PairSums& sums,
                 double* window_expectations) {
  const std::size_t stride = potentials.stride, labels = potentials.labels;
  double* first = window_expectations + labels * stride;  // the pad context
  for (std::size_t k = 0; k < labels; ++k) first[k] += double{sums.alpha[k] * sums.beta[k]};
  for (std::size_t begin = 1; begin < length; begin += PairSums::kCountBlock) {
    const std::size_t end = std::min(begin + PairSums::kCountBlock, length);
    for_each_tile(stride, [&](std::size_t at, auto vectors) HWY_ATTR {
      constexpr std::size_t kRows = vectors == 1 ? 8 : 4;
      for (std::size_t j = 0; j < labels; j += kRows)
        count_block<kRows, vectors>(potentials, sums, begin, end, j, at, window_expectations);
    });
  }
}

}  // namespace fovea::sequence::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence::internal {
namespace {
HWY_EXPORT(forward_over_pairs);
HWY_EXPORT(backward_over_pairs);
HWY_EXPORT(add_windows);
}  // namespace

void PairPotentials::bind(const LabelNgrams& ngrams) {
  labels = ngrams.label_count();
  stride = ngrams.stride();
  const auto row = [&](std::size_t j) { return ngrams.factor_size() == 1 ? ngrams.row(0, 0) : ngrams.row(1, j); };
  float high = -std::numeric_limits<float>::infinity(), low = -high;
  for (std::size_t j = 0; j < labels; ++j) {
    high = std::max(high, *std::max_element(row(j), row(j) + labels));
    low = std::min(low, *std::min_element(row(j), row(j) + labels));
  }
  if (high == -std::numeric_limits<float>::infinity()) high = 0;
  highest = double{high};
  narrow_range = highest - double{low} <= PairSums::kNarrowRange;
  from.assign((labels + 3) / 4 * 4 * stride, 0.0f);
  into.assign(from.size(), 0.0f);
  for (std::size_t j = 0; j < labels; ++j)
    for (std::size_t k = 0; k < labels; ++k) into[k * stride + j] = from[j * stride + k] = std::exp(row(j)[k] - high);
}

PairSums::Status PairSums::forward(const PairPotentials& potentials, const float* unary, std::size_t length,
                                   double& log_z) {
  if (weights.size() < length * potentials.stride) {
    weights.resize(length * potentials.stride);
    alpha.resize(length * potentials.stride);
  }
  if (inverse_scale.size() < length) inverse_scale.resize(length);
  return HWY_DYNAMIC_DISPATCH(forward_over_pairs)(potentials, unary, length, *this, log_z);
}

PairSums::Status PairSums::backward(const PairPotentials& potentials, std::size_t length, float* marginals,
                                    double* window_expectations) {
  beta.resize(potentials.stride);
  const Status status = HWY_DYNAMIC_DISPATCH(backward_over_pairs)(potentials, length, marginals, *this, beta.data());
  if (status != Status::kDone || window_expectations == nullptr) return status;
  HWY_DYNAMIC_DISPATCH(add_windows)(potentials, length, *this, window_expectations);
  return status;
}

}  // namespace fovea::sequence::internal
#endif
