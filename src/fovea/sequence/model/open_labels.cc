// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/model/open_labels.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/model/open_labels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Writes the labels that score at least `least`, ascending; returns their number. `labels` has room for all.
std::size_t find_open(std::span<const float> scores, float least, Value* labels) {
  const hn::CappedTag<float, 16> d;
  std::size_t count = 0, at = 0;
  for (; at + hn::Lanes(d) <= scores.size(); at += hn::Lanes(d)) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Ge(hn::LoadU(d, scores.data() + at), hn::Set(d, least)), bytes);
    for (std::uint32_t bits = bytes[0] | bytes[1] << 8; bits != 0; bits &= bits - 1)
      labels[count++] = static_cast<Value>(at + static_cast<std::size_t>(std::countr_zero(bits)));
  }
  for (; at < scores.size(); ++at) {  // without branches: few labels are open, in no pattern
    labels[count] = static_cast<Value>(at);
    count += scores[at] >= least;
  }
  return count;
}

}  // namespace fovea::sequence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::sequence {
namespace {

HWY_EXPORT(find_open);

/// Sorts labels, the heaviest first; among equal scores the lowest comes first. By insertion, because labels are few.
template <class ScoreOf>
void sort_by_score(std::span<Value> labels, const ScoreOf& score_of) {
  for (std::size_t i = 1; i < labels.size(); ++i) {
    const Value label = labels[i];
    const float score = score_of(label);
    std::size_t j = i;
    for (; j > 0; --j) {
      const float other = score_of(labels[j - 1]);
      if (other > score || (other == score && labels[j - 1] < label)) break;
      labels[j] = labels[j - 1];
    }
    labels[j] = label;
  }
}

}  // namespace

void OpenLabels::open(std::size_t position, std::span<const float> scores, float least) {
  Value* labels = room_for(scores.size());
  const std::size_t count = HWY_DYNAMIC_DISPATCH(find_open)(scores, least, labels);
  sort_by_score(std::span(labels, count), [&](Value label) { return scores[label]; });
  ranges_[position] = {static_cast<std::uint32_t>(total_), static_cast<std::uint32_t>(count)};
  total_ += count;
}

void OpenLabels::open(std::size_t position, std::span<const Value> among, std::span<const float> scores, float least) {
  Value* labels = room_for(among.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < among.size(); ++i)
    if (scores[i] >= least) labels[count++] = among[i];
  sort_by_score(std::span(labels, count),
                [&](Value label) { return scores[std::ranges::find(among, label) - among.begin()]; });
  ranges_[position] = {static_cast<std::uint32_t>(total_), static_cast<std::uint32_t>(count)};
  total_ += count;
}

}  // namespace fovea::sequence
#endif
