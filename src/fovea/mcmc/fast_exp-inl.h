// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_SAMPLE_FAST_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_SAMPLE_FAST_EXP_INL_H_
#undef FOVEA_SAMPLE_FAST_EXP_INL_H_
#else
#define FOVEA_SAMPLE_FAST_EXP_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::mcmc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;

/// exp(min(x, 87)), with a relative error below 3e-7 near 0; 0 for NaN and below -87, so -inf is legal.
/// x / ln 2 = n + f, |f| <= 1/2: adding 1.5 * 2^23 rounds to the whole number n and leaves it in the lowest bits. 2^n
/// comes from the exponent bits, 2^f from a minimax polynomial: half the cost of a full exp.
HWY_INLINE Vector fast_exp(Tag d, Vector x) {
  const hn::RebindToSigned<Tag> di;
  const Vector bounded = hn::Min(x, hn::Set(d, 87.0f));
  const Vector per_ln2 = hn::Set(d, 1.44269504f), rounder = hn::Set(d, 0x1.8p23f);
  const Vector n = hn::MulAdd(bounded, per_ln2, rounder);
  const Vector f = hn::MulSub(bounded, per_ln2, hn::Sub(n, rounder));
  Vector p = hn::Set(d, 1.32647e-3f);
  p = hn::MulAdd(p, f, hn::Set(d, 9.67151e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.550734e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.4022242e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 6.9314698e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  const Vector scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, n))));
  return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, -87.0f)), scaled);
}

}  // namespace fovea::mcmc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
