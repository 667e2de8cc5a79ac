// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/beam_kernels.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/exact/beam_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/sequence/exact/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::internal::HWY_NAMESPACE {

/// Scores all candidates; returns the highest score.
float expand_beam(const float* unary, std::size_t stride, const BeamRow* rows, std::size_t count, float* scores) {
  const Tag d;
  Vector best = MaxPlus::zero(Tag());
  for (std::size_t h = 0; h < count; ++h, scores += stride)
    for_each_vector(stride, [&](std::size_t at) HWY_ATTR {
      const Vector sum =
          hn::Add(hn::Set(d, rows[h].score), hn::Add(hn::Load(d, unary + at), hn::Load(d, rows[h].scores + at)));
      hn::Store(sum, d, scores + at);
      best = hn::Max(best, sum);
    });
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

HWY_INLINE std::size_t count_from(const float* scores, std::size_t size, float threshold) {
  const Tag d;
  const Vector low = hn::Set(d, threshold);
  std::size_t count = 0;
  for_each_vector(size,
                  [&](std::size_t at) HWY_ATTR { count += hn::CountTrue(d, hn::Ge(hn::Load(d, scores + at), low)); });
  return count;
}

/// Finds by bisection a threshold that at least `enough` scores reach, but not many more; the lowest number if the
/// scores are too few. gap: its distance below the highest score last time, a guess that saves most steps.
float threshold_for(const float* scores, std::size_t size, float highest, std::size_t enough, float& gap) {
  constexpr int kSteps = 8;
  constexpr float kWidest = 1e6f;
  const std::size_t few = enough + enough / 2 + 2;
  float too_high = highest;
  std::size_t count = count_from(scores, size, highest - gap);
  while (count < enough) {
    if (gap > kWidest) return std::numeric_limits<float>::lowest();
    too_high = highest - gap;
    gap *= 4;
    count = count_from(scores, size, highest - gap);
  }
  float low = highest - gap;
  for (int step = 0; step < kSteps && count > few; ++step) {
    const float middle = low + (too_high - low) / 2;
    const std::size_t reached = count_from(scores, size, middle);
    if (reached >= enough) low = middle, count = reached;
    else too_high = middle;
  }
  gap = std::max(highest - low, 1e-3f);
  return low;
}

/// Collects the scores that are at least `threshold`, with their numbers; returns the number of them. The outputs have
/// room for all scores and one more vector.
std::size_t keep_best(const float* scores, std::size_t stride, std::size_t rows, float threshold, float* kept_scores,
                      std::uint32_t* kept_numbers) {
  const Tag d;
  const hn::RebindToUnsigned<Tag> du;
  std::size_t kept = 0;
  for (std::size_t h = 0; h < rows; ++h, scores += stride)
    for_each_vector(stride, [&](std::size_t at) HWY_ATTR {
      const Vector score = hn::Load(d, scores + at);
      const auto mask = hn::Ge(score, hn::Set(d, threshold));
      if (hn::AllFalse(d, mask)) return;
      const auto numbers = hn::Iota(du, static_cast<std::uint32_t>(h << kBeamLabelBits | at));
      hn::CompressStore(score, mask, d, kept_scores + kept);
      kept += hn::CompressStore(numbers, hn::RebindMask(du, mask), du, kept_numbers + kept);
    });
  return kept;
}

}  // namespace fovea::sequence::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence::internal {

HWY_EXPORT(expand_beam);
HWY_EXPORT(threshold_for);
HWY_EXPORT(keep_best);

void BeamCandidates::expand(const float* unary, std::size_t stride, const BeamRow* rows, std::size_t count) {
  stride_ = stride;
  rows_ = count;
  if (scores_.size() < count * stride) {
    scores_.resize(count * stride);
    kept_scores_.resize((count + 1) * stride);
    kept_numbers_.resize((count + 1) * stride);
  }
  highest_ = HWY_DYNAMIC_DISPATCH(expand_beam)(unary, stride, rows, count, scores_.data());
}

BeamCandidates::List BeamCandidates::best(std::size_t enough) {
  if (highest_ == -std::numeric_limits<float>::infinity()) return {{}, {}, true};
  const float threshold = HWY_DYNAMIC_DISPATCH(threshold_for)(scores_.data(), stride_ * rows_, highest_, enough, gap_);
  const std::size_t kept = HWY_DYNAMIC_DISPATCH(keep_best)(scores_.data(), stride_, rows_, threshold,
                                                           kept_scores_.data(), kept_numbers_.data());
  return {{kept_scores_.data(), kept}, {kept_numbers_.data(), kept}, threshold == std::numeric_limits<float>::lowest()};
}

}  // namespace fovea::sequence::internal
#endif
