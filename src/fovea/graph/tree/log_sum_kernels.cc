// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/log_sum_kernels.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/graph/tree/log_sum_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;
using DoubleVector = hn::Vec<Doubles>;

/// exp(x) for x <= 0 and a little above, 0 below -700 and for -inf.
HWY_INLINE DoubleVector exponential(DoubleVector x) {
  const Doubles d;
  const DoubleVector lowest = hn::Set(d, -700.0);
  return hn::IfThenElseZero(hn::Gt(x, lowest), hn::Exp(d, hn::Max(x, lowest)));
}

/// Calls body(first entry, number of entries) vector by vector; the last one may be cut.
template <class Body>
HWY_INLINE void for_each_cut_vector(std::size_t size, const Body& body) {
  const std::size_t lanes = hn::Lanes(Doubles());
  for (std::size_t i = 0; i < size; i += lanes) body(i, std::min(lanes, size - i));
}

HWY_INLINE DoubleVector load(const double* from, std::size_t count) {
  const Doubles d;
  if (HWY_LIKELY(count == hn::Lanes(d))) return hn::LoadU(d, from);
  HWY_ALIGN double buffer[hn::MaxLanes(d)] = {};
  for (std::size_t i = 0; i < count; ++i) buffer[i] = from[i];
  return hn::Load(d, buffer);
}

HWY_INLINE void store(DoubleVector x, double* to, std::size_t count) {
  const Doubles d;
  if (HWY_LIKELY(count == hn::Lanes(d))) {
    hn::StoreU(x, d, to);
    return;
  }
  HWY_ALIGN double buffer[hn::MaxLanes(d)];
  hn::Store(x, d, buffer);
  for (std::size_t i = 0; i < count; ++i) to[i] = buffer[i];
}

void add_exponentials_of(const double* x, std::size_t size, double* highest, double* sum) {
  const Doubles d;
  for_each_cut_vector(size, [&](std::size_t at, std::size_t count) HWY_ATTR {
    const DoubleVector score = load(x + at, count);
    const DoubleVector before = load(highest + at, count);
    const DoubleVector total = load(sum + at, count);
    // One of the two scales is exp(0).
    const DoubleVector difference = hn::Sub(score, before);
    const DoubleVector scale = exponential(hn::Neg(hn::Abs(difference)));
    const auto is_higher = hn::Gt(difference, hn::Zero(d));
    const DoubleVector raised = hn::MulAdd(total, scale, hn::Set(d, 1.0));
    store(hn::IfThenElse(is_higher, raised, hn::Add(total, scale)), sum + at, count);
    store(hn::Max(score, before), highest + at, count);
  });
}

void finish_all(const double* highest, const double* sum, std::size_t size, double* log_sum) {
  const Doubles d;
  for_each_cut_vector(size, [&](std::size_t at, std::size_t count) HWY_ATTR {
    const DoubleVector total = load(sum + at, count);
    const auto is_positive = hn::Gt(total, hn::Zero(d));
    const DoubleVector log = hn::Log(d, hn::IfThenElse(is_positive, total, hn::Set(d, 1.0)));
    const DoubleVector nothing = hn::Set(d, -std::numeric_limits<double>::infinity());
    store(hn::IfThenElse(is_positive, hn::Add(load(highest + at, count), log), nothing), log_sum + at, count);
  });
}

void exponentiate_all_shifted(double* x, std::size_t size, double shift) {
  const Doubles d;
  for_each_cut_vector(size, [&](std::size_t at, std::size_t count) HWY_ATTR {
    store(exponential(hn::Sub(load(x + at, count), hn::Set(d, shift))), x + at, count);
  });
}

}  // namespace fovea::graph::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::graph::internal {

HWY_EXPORT(add_exponentials_of);
HWY_EXPORT(finish_all);
HWY_EXPORT(exponentiate_all_shifted);

void add_exponentials(const double* x, std::size_t size, double* highest, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_exponentials_of)(x, size, highest, sum);
}

void finish_log_sums(const double* highest, const double* sum, std::size_t size, double* log_sum) {
  HWY_DYNAMIC_DISPATCH(finish_all)(highest, sum, size, log_sum);
}

void exponentiate_shifted(double* x, std::size_t size, double shift) {
  HWY_DYNAMIC_DISPATCH(exponentiate_all_shifted)(x, size, shift);
}

}  // namespace fovea::graph::internal
#endif
