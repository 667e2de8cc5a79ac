// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/likelihood/chain_sums.h"

#include <algorithm>
#include <cmath>
#include <span>

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

HWY_INLINE std::size_t lanes() { return hn::Lanes(Tag()); }

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

/// Sum of the logs of the first `count` entries of `x`, which are followed by ones.
double sum_of_logs(const double* x, std::size_t count) {
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

/// Sets weights of labels and pairs, and log_z to what they leave out (NaN if a score is); false if the linear domain
/// is not safe.
bool weigh(Matrix<const double> unary, Matrix<const double> pairwise, ChainSums& sums) {
  double highest = 0;
  if (sums.length > 1) {
    highest = highest_pair(pairwise);
    if (std::isnan(highest)) return false;
    for (std::size_t e = 0; e < pairwise.all().size(); ++e) sums.packed[e] = pairwise.data()[e] - highest;
    spread_exponentials(sums.labels, sums, sums.pair_weights.from.data());
  }
  sums.log_z = static_cast<double>(sums.length - 1) * highest;
  for (std::size_t t = 0; t < sums.length; ++t) {
    const std::span<const double> row = unary.row(t);
    const double top = highest_of(row);
    for (std::size_t j = 0; j < row.size(); ++j) sums.packed[t * sums.labels + j] = row[j] - top;
    sums.log_z += top;
  }
  if (!spread_exponentials(sums.length, sums, sums.sums.weights.data())) sums.log_z = std::nan("");
  return true;
}

}  // namespace fovea::gp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::gp {

HWY_EXPORT(sum_of_logs);
HWY_EXPORT(weigh);

bool sum_forward(Matrix<const double> unary, Matrix<const double> pairwise, ChainSums& sums) {
  constexpr std::size_t kSpare = kRowAlignment / sizeof(double);  // the last vector may reach beyond what is packed
  sums.length = unary.rows();
  sums.labels = unary.columns();
  sums.pair_weights.resize(sums.labels);
  sums.stride = sums.pair_weights.stride;
  sums.sums.resize(sums.pair_weights, sums.length);
  const std::size_t packed = std::max(sums.length, sums.labels) * sums.labels + kSpare;
  if (sums.packed.size() < packed) sums.packed.resize(packed);
  if (!HWY_DYNAMIC_DISPATCH(weigh)(unary, pairwise, sums)) return false;
  if (sums.sums.forward(sums.pair_weights, sums.length)) {
    // The logs of all items at once: a sum that later versions may not change, since models depend on its last bits.
    AlignedVector<double>& scale = sums.sums.scale;
    if (scale.size() < sums.length + kSpare) scale.resize(sums.length + kSpare);
    std::fill_n(scale.begin() + static_cast<std::ptrdiff_t>(sums.length), kSpare, 1.0);
    sums.log_z += HWY_DYNAMIC_DISPATCH(sum_of_logs)(scale.data(), sums.length);
  } else {
    sums.log_z = std::nan("");
  }
  return true;
}

void sum_backward(bool wants_pairs, ChainSums& sums) {
  const std::size_t numbers = sums.length * sums.stride, pair_numbers = sums.labels * sums.stride;
  if (sums.marginals.size() < numbers) sums.marginals.resize(numbers);
  if (wants_pairs) sums.pairs.assign(pair_numbers, 0.0);
  if (std::isnan(sums.log_z)) {
    std::fill_n(sums.marginals.begin(), numbers, sums.log_z);
    std::fill(sums.pairs.begin(), sums.pairs.end(), sums.log_z);
    return;
  }
  if (sums.length > 1) sums.pair_weights.transpose();
  sums.sums.backward(sums.pair_weights, sums.length, sums.marginals.data());  // kMostPairRange bounds b_t
  if (wants_pairs) sums.sums.add_pairs(sums.pair_weights, sums.length, sums.pairs.data());
}

}  // namespace fovea::gp
#endif
