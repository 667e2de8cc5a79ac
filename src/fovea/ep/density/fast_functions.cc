// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/fast_functions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/ep/density/fast_functions.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::ep::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;

/// Applies `fast` where all lanes are between low and high, for which it is made, and `slow` elsewhere.
template <class Fast, class Slow>
HWY_INLINE void apply(std::span<const double> x, std::span<double> results, double low, double high, const Fast& fast,
                      const Slow& slow) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const auto lowest = hn::Set(d, low), highest = hn::Set(d, high);
  std::size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes) {
    const auto v = hn::LoadU(d, x.data() + i);
    if (hn::AllTrue(d, hn::And(hn::Ge(v, lowest), hn::Le(v, highest)))) hn::StoreU(fast(d, v), d, results.data() + i);
    else
      for (std::size_t k = i; k < i + lanes; ++k) results[k] = slow(x[k]);
  }
  for (; i < x.size(); ++i) {
    // The same for what is left over, so that a number's result does not depend on its place.
    const auto v = hn::Set(d, x[i]);
    const bool is_fast = x[i] >= low && x[i] <= high;
    results[i] = is_fast ? hn::GetLane(fast(d, v)) : slow(x[i]);
  }
}

/// log(1 + v) with the error of 1 + v taken back (Kahan).
template <class V>
HWY_INLINE V log_one_plus(Doubles d, V v) {
  const V one = hn::Set(d, 1), sum = hn::Add(one, v), gap = hn::Sub(sum, one);
  const V scaled = hn::Div(hn::Mul(hn::Log(d, sum), v), hn::IfThenElse(hn::Eq(gap, hn::Zero(d)), one, gap));
  return hn::IfThenElse(hn::Eq(gap, hn::Zero(d)), v, scaled);
}

constexpr double kLargestExponent = 700;

double slow_softplus(double x) { return std::max(x, 0.) + std::log1p(std::exp(-std::abs(x))); }

void exp_all(std::span<const double> x, std::span<double> results) {
  apply(
      x, results, -kLargestExponent, kLargestExponent, [](Doubles d, auto v) { return hn::Exp(d, v); },
      [](double v) { return std::exp(v); });
}

void log_all(std::span<const double> x, std::span<double> results) {
  apply(
      x, results, 1e-300, 1e300, [](Doubles d, auto v) { return hn::Log(d, v); }, [](double v) { return std::log(v); });
}

void log1p_all(std::span<const double> x, std::span<double> results) {
  apply(
      x, results, -1 + 1e-15, 1e300, [](Doubles d, auto v) { return log_one_plus(d, v); },
      [](double v) { return std::log1p(v); });
}

void logistic_all(std::span<const double> x, std::span<double> results) {
  apply(
      x, results, -kLargestExponent, kLargestExponent,
      [](Doubles d, auto v) {
        const auto one = hn::Set(d, 1);
        return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Neg(v))));
      },
      [](double v) { return 1 / (1 + std::exp(-v)); });
}

void softplus_all(std::span<const double> x, std::span<double> results) {
  apply(
      x, results, -kLargestExponent, kLargestExponent,
      [](Doubles d, auto v) {
        return hn::Add(hn::Max(v, hn::Zero(d)), log_one_plus(d, hn::Exp(d, hn::Neg(hn::Abs(v)))));
      },
      slow_softplus);
}

}  // namespace fovea::ep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::ep {

HWY_EXPORT(exp_all);
HWY_EXPORT(log_all);
HWY_EXPORT(log1p_all);
HWY_EXPORT(logistic_all);
HWY_EXPORT(softplus_all);

void exp_of(std::span<const double> x, std::span<double> results) { HWY_DYNAMIC_DISPATCH(exp_all)(x, results); }
void log_of(std::span<const double> x, std::span<double> results) { HWY_DYNAMIC_DISPATCH(log_all)(x, results); }
void log1p_of(std::span<const double> x, std::span<double> results) { HWY_DYNAMIC_DISPATCH(log1p_all)(x, results); }
void logistic_of(std::span<const double> x, std::span<double> results) {
  HWY_DYNAMIC_DISPATCH(logistic_all)(x, results);
}
void softplus_of(std::span<const double> x, std::span<double> results) {
  HWY_DYNAMIC_DISPATCH(softplus_all)(x, results);
}

}  // namespace fovea::ep
#endif
