// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/log_math.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/base/log_math.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
HWY_INLINE void exponentiate_all(std::span<Real> x) {
  const hn::CappedTag<Real, 64 / sizeof(Real)> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= x.size(); i += lanes) hn::StoreU(hn::Exp(d, hn::LoadU(d, x.data() + i)), d, x.data() + i);
  HWY_ALIGN Real tail[hn::MaxLanes(d)] = {};
  std::copy(x.begin() + static_cast<std::ptrdiff_t>(i), x.end(), tail);
  hn::Store(hn::Exp(d, hn::Load(d, tail)), d, tail);
  std::copy_n(tail, x.size() - i, x.begin() + static_cast<std::ptrdiff_t>(i));
}

void exponentiate_floats(std::span<float> x) { exponentiate_all(x); }
void exponentiate_doubles(std::span<double> x) { exponentiate_all(x); }

}  // namespace fovea::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea {

HWY_EXPORT(exponentiate_floats);
HWY_EXPORT(exponentiate_doubles);

void exponentiate(std::span<float> x) { HWY_DYNAMIC_DISPATCH(exponentiate_floats)(x); }
void exponentiate(std::span<double> x) { HWY_DYNAMIC_DISPATCH(exponentiate_doubles)(x); }

}  // namespace fovea
#endif
