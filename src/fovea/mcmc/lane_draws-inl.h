// SPDX-License-Identifier: Apache-2.0
// Per-target include guard: compiled once for each instruction set (see hwy/foreach_target.h).
#if defined(FOVEA_SAMPLE_LANE_DRAWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FOVEA_SAMPLE_LANE_DRAWS_INL_H_
#undef FOVEA_SAMPLE_LANE_DRAWS_INL_H_
#else
#define FOVEA_SAMPLE_LANE_DRAWS_INL_H_
#endif

#include <cstddef>

#include "fovea/mcmc/lane_stream.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::mcmc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, LaneStream::kLanes>;
using Vector = hn::Vec<Tag>;
using IntTag = hn::RebindToSigned<Tag>;
using IntVector = hn::Vec<IntTag>;

/// The lanes [at, at + Lanes) of a LaneStream in registers, for the length of a loop.
class LaneDraws {
 public:
  LaneDraws(LaneStream& stream, std::size_t at) : stream_(stream), at_(at) {
    const Words d;
    a_ = hn::Load(d, stream.words[0] + at);
    b_ = hn::Load(d, stream.words[1] + at);
    c_ = hn::Load(d, stream.words[2] + at);
    e_ = hn::Load(d, stream.words[3] + at);
  }
  ~LaneDraws() {
    const Words d;
    hn::Store(a_, d, stream_.words[0] + at_);
    hn::Store(b_, d, stream_.words[1] + at_);
    hn::Store(c_, d, stream_.words[2] + at_);
    hn::Store(e_, d, stream_.words[3] + at_);
  }
  LaneDraws(const LaneDraws&) = delete;
  LaneDraws& operator=(const LaneDraws&) = delete;

  /// A point in [0, total) in each lane.
  HWY_INLINE Vector threshold(Vector total) {
    const Tag d;
    const auto bits = hn::Add(a_, e_), shifted = hn::ShiftLeft<9>(b_);
    c_ = hn::Xor(c_, a_);
    e_ = hn::Xor(e_, b_);
    b_ = hn::Xor(b_, c_);
    a_ = hn::Xor(a_, e_);
    c_ = hn::Xor(c_, shifted);
    e_ = hn::Or(hn::ShiftLeft<11>(e_), hn::ShiftRight<21>(e_));
    const auto upper = hn::BitCast(IntTag(), hn::ShiftRight<8>(bits));
    return hn::Mul(hn::Mul(hn::ConvertTo(d, upper), hn::Set(d, 0x1.0p-24f)), total);
  }

 private:
  using Words = hn::RebindToUnsigned<Tag>;
  LaneStream& stream_;
  std::size_t at_;
  hn::Vec<Words> a_, b_, c_, e_;
};

}  // namespace fovea::mcmc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
