// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/likelihood/chain_sums.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/gp/likelihood/chain_sums.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::gp::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;

constexpr std::size_t kMostVectors = 4;  // of a row, processed together

HWY_INLINE std::size_t lanes() { return hn::Lanes(Tag()); }

/// Calls work(at, vectors) for strips of at most kMostVectors vectors of a row; `vectors` is a constant.
template <class Work>
HWY_INLINE void for_strips(std::size_t stride, const Work& work) {
  const std::size_t vectors = stride / lanes();
  std::size_t v = 0;
  for (; v + kMostVectors <= vectors; v += kMostVectors)
    work(v * lanes(), std::integral_constant<std::size_t, kMostVectors>());
  switch (vectors - v) {
    case 3:
      return work(v * lanes(), std::integral_constant<std::size_t, 3>());
    case 2:
      return work(v * lanes(), std::integral_constant<std::size_t, 2>());
    case 1:
      return work(v * lanes(), std::integral_constant<std::size_t, 1>());
    default:
      return;
  }
}

/// out[at, at + kVectors) = sum over i < count of x[i] rows[i][..]. Keeps two sums, since a single one would wait for
/// itself.
template <std::size_t kVectors>
HWY_INLINE void multiply_strip(const double* x, std::size_t count, const double* rows, std::size_t stride,
                               double* HWY_RESTRICT out) {
  const Tag d;
  Vector even[kVectors], odd[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) even[v] = odd[v] = hn::Zero(d);
  const auto add = [&](std::size_t i, Vector* sums) HWY_ATTR {
    const Vector factor = hn::Set(d, x[i]);
    for (std::size_t v = 0; v < kVectors; ++v)
      sums[v] = hn::MulAdd(factor, hn::Load(d, rows + i * stride + v * hn::Lanes(d)), sums[v]);
  };
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2) {
    add(i, even);
    add(i + 1, odd);
  }
  if (i < count) add(i, even);
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(hn::Add(even[v], odd[v]), d, out + v * hn::Lanes(d));
}

/// out = x rows, with `count` rows.
HWY_INLINE void multiply(const double* x, std::size_t count, const double* rows, std::size_t stride, double* out) {
  for_strips(stride, [&](std::size_t at, auto vectors)
                         HWY_ATTR { multiply_strip<decltype(vectors)::value>(x, count, rows + at, stride, out + at); });
}

HWY_INLINE double highest_of(std::span<const double> row) {
  const Tag d;
  if (row.size() < lanes()) return *std::max_element(row.begin(), row.end());
  Vector highest = hn::LoadU(d, &row[row.size() - lanes()]);
  for (std::size_t j = 0; j + lanes() <= row.size(); j += lanes())
    highest = hn::Max(highest, hn::LoadU(d, row.data() + j));
  return hn::GetLane(hn::MaxOfLanes(d, highest));
}

/// Writes exponentials of `count` rows of `packed`, with zeros up to the stride; returns true if none of `packed` was
/// NaN. Takes all rows together, since a row may be much shorter than a vector.
HWY_INLINE bool spread_exponentials(std::size_t count, ChainSums& sums, double* rows) {
  const Tag d;
  const std::size_t labels = sums.labels;
  auto is_nan = hn::IsNaN(hn::Zero(d));
  double* packed = sums.packed.data();
  std::fill_n(packed + count * labels, lanes() - 1, 0.0);
  for (std::size_t at = 0; at < count * labels; at += lanes()) {
    const Vector x = hn::Load(d, packed + at);
    is_nan = hn::Or(is_nan, hn::IsNaN(x));
    hn::Store(hn::Exp(d, x), d, packed + at);
  }
  for (std::size_t r = 0; r < count; ++r, packed += labels, rows += sums.stride)
    std::fill(std::copy_n(packed, labels, rows), rows + sums.stride, 0.0);
  return hn::AllFalse(d, is_nan);
}

/// row <- row * factors * factor; returns the sum.
HWY_INLINE double scale_row(const double* factors, double factor, std::size_t stride, double* row) {
  const Tag d;
  Vector sum = hn::Zero(d);
  for (std::size_t j = 0; j < stride; j += lanes()) {
    const Vector scale = hn::Mul(hn::Load(d, factors + j), hn::Set(d, factor));
    const Vector product = hn::Mul(hn::Load(d, row + j), scale);
    hn::Store(product, d, row + j);
    sum = hn::Add(sum, product);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

/// Sum of the logs of the first `count` entries of `x`, which are followed by ones.
HWY_INLINE double sum_of_logs(const double* x, std::size_t count) {
  const Tag d;
  Vector sum = hn::Zero(d);
  for (std::size_t t = 0; t < count; t += lanes()) sum = hn::Add(sum, hn::Log(d, hn::Load(d, x + t)));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

/// If the range of pair scores is smaller, the loss to underflow is below 1e-47 of any sum (b_t <= exp(3 range)).
constexpr double kMostPairRange = 200;

/// The highest score of a pair; NaN if the linear domain is not safe.
double highest_pair(Matrix<const double> pairwise) {
  const Tag d;
  const std::span<const double> scores = pairwise.all();
  Vector lowest = hn::Set(d, scores[0]), highest = lowest, nothing = hn::Zero(d);
  std::size_t e = 0;
  for (; e + lanes() <= scores.size(); e += lanes()) {
    const Vector x = hn::LoadU(d, scores.data() + e);
    lowest = hn::Min(lowest, x);
    highest = hn::Max(highest, x);
    nothing = hn::MulAdd(x, hn::Zero(d), nothing);  // infinity or NaN turns it into NaN
  }
  double least = hn::GetLane(hn::MinOfLanes(d, lowest)), most = hn::GetLane(hn::MaxOfLanes(d, highest));
  double zero = hn::GetLane(hn::SumOfLanes(d, nothing));
  for (; e < scores.size(); ++e) {
    least = std::min(least, scores[e]);
    most = std::max(most, scores[e]);
    zero += 0 * scores[e];
  }
  return most - least < kMostPairRange ? most + zero : std::nan("");
}

bool forward(Matrix<const double> unary, Matrix<const double> pairwise, ChainSums& sums) {
  const std::size_t stride = sums.stride;
  double highest = 0;
  if (sums.length > 1) {
    highest = highest_pair(pairwise);
    if (std::isnan(highest)) return false;
    for (std::size_t e = 0; e < pairwise.all().size(); ++e) sums.packed[e] = pairwise.data()[e] - highest;
    spread_exponentials(sums.labels, sums, sums.pair_weights.data());
  }
  sums.log_z = static_cast<double>(sums.length - 1) * highest;
  for (std::size_t t = 0; t < sums.length; ++t) {
    const std::span<const double> row = unary.row(t);
    const double top = highest_of(row);
    for (std::size_t j = 0; j < row.size(); ++j) sums.packed[t * sums.labels + j] = row[j] - top;
    sums.log_z += top;
  }
  const bool numbers = spread_exponentials(sums.length, sums, sums.weights.data());
  std::fill_n(sums.forward.begin(), stride, 1.0);
  for (std::size_t t = 0; t < sums.length; ++t) {
    double* alpha = &sums.forward[t * stride];
    if (t > 0) multiply(alpha - stride, sums.labels, sums.pair_weights.data(), stride, alpha);
    sums.scales[t] = scale_row(&sums.weights[t * stride], t > 0 ? 1 / sums.scales[t - 1] : 1, stride, alpha);
  }
  sums.log_z += numbers ? sum_of_logs(sums.scales.data(), sums.length) : std::nan("");
  return true;
}

/// pairs[i][at, ..) = m(i, .) * sum over t > 0 of a_{t-1}(i) w_t(.), for kRows rows from i on.
template <std::size_t kVectors, std::size_t kRows>
HWY_INLINE void add_pairs_strip(std::size_t i, std::size_t at, ChainSums& sums) {
  const Tag d;
  const std::size_t stride = sums.stride;
  Vector total[kRows][kVectors];
  for (auto& row : total)
    for (Vector& v : row) v = hn::Zero(d);
  for (std::size_t t = 1; t < sums.length; ++t) {
    const double* weights = &sums.weights[t * stride + at];
    const double* before = &sums.forward[(t - 1) * stride + i];
    for (std::size_t r = 0; r < kRows; ++r)
      for (std::size_t v = 0; v < kVectors; ++v)
        total[r][v] = hn::MulAdd(hn::Set(d, before[r]), hn::Load(d, weights + v * hn::Lanes(d)), total[r][v]);
  }
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t place = (i + r) * stride + at + v * hn::Lanes(d);
      hn::Store(hn::Mul(total[r][v], hn::Load(d, &sums.pair_weights[place])), d, &sums.pairs[place]);
    }
}

void add_pairs(ChainSums& sums) {
  if (sums.length == 1) {  // pair weights were not read
    std::fill_n(sums.pairs.begin(), sums.labels * sums.stride, 0.0);
    return;
  }
  for_strips(sums.stride, [&](std::size_t at, auto vectors) HWY_ATTR {
    constexpr std::size_t kVectors = decltype(vectors)::value;
    std::size_t i = 0;
    for (; i + 2 <= sums.labels; i += 2) add_pairs_strip<kVectors, 2>(i, at, sums);
    if (i < sums.labels) add_pairs_strip<kVectors, 1>(i, at, sums);
  });
}

void transpose_pairs(ChainSums& sums) {
  const std::size_t labels = sums.labels, stride = sums.stride;
  for (std::size_t j = 0; j < labels; ++j) {
    double* row = &sums.pair_transposed[j * stride];
    for (std::size_t i = 0; i < labels; ++i) row[i] = sums.pair_weights[i * stride + j];
    std::fill(row + labels, row + stride, 0.0);
  }
}

void backward(bool wants_pairs, ChainSums& sums) {
  const std::size_t labels = sums.labels, stride = sums.stride;
  if (sums.length > 1) transpose_pairs(sums);
  // p(y_t = .) replaces b_t in place.
  std::fill_n(&sums.marginals[(sums.length - 1) * stride], stride, 1 / sums.scales[sums.length - 1]);
  for (std::size_t t = sums.length; t-- > 0;) {
    double* weights = &sums.weights[t * stride];
    double* beta = &sums.marginals[t * stride];
    if (t > 0) {
      scale_row(beta, 1 / sums.scales[t - 1], stride, weights);
      multiply(weights, labels, sums.pair_transposed.data(), stride, beta - stride);
    }
    scale_row(&sums.forward[t * stride], 1, stride, beta);
  }
  if (wants_pairs) add_pairs(sums);
}

}  // namespace fovea::gp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::gp {
namespace {

HWY_EXPORT(forward);
HWY_EXPORT(backward);

constexpr std::size_t kRowMultiple = kRowAlignment / sizeof(double);

/// Grows to at least this size; entries are old contents or zeros.
void grow(std::size_t size, AlignedVector<double>& vector) {
  if (vector.size() < size) vector.resize(size);
}

}  // namespace

bool sum_forward(Matrix<const double> unary, Matrix<const double> pairwise, ChainSums& sums) {
  sums.length = unary.rows();
  sums.labels = unary.columns();
  sums.stride = (sums.labels + kRowMultiple - 1) / kRowMultiple * kRowMultiple;
  for (AlignedVector<double>* square : {&sums.pair_weights, &sums.pair_transposed, &sums.pairs})
    grow(sums.labels * sums.stride, *square);
  for (AlignedVector<double>* rows : {&sums.weights, &sums.forward, &sums.marginals})
    grow(sums.length * sums.stride, *rows);
  grow(sums.length + kRowMultiple, sums.scales);
  std::fill_n(&sums.scales[sums.length], kRowMultiple, 1.0);
  grow(std::max(sums.length, sums.labels) * sums.labels + kRowMultiple, sums.packed);
  return HWY_DYNAMIC_DISPATCH(forward)(unary, pairwise, sums);
}

void sum_backward(bool wants_pairs, ChainSums& sums) { HWY_DYNAMIC_DISPATCH(backward)(wants_pairs, sums); }

}  // namespace fovea::gp
#endif
