// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/pair_chain_lanes.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/learn/pair_chain_lanes.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/sequence/learn/pair_chain_lanes-inl.h"

#if HWY_ONCE
namespace fovea::sequence {

HWY_EXPORT(lane_count);
HWY_EXPORT(run_lanes);

PairChainLanes::PairChainLanes(int label_count) : label_count_(label_count) {
  FOVEA_CHECK(label_count > 0 && label_count <= kMaxLabels);
  set_pairs({});
}

void PairChainLanes::set_pairs(std::span<const LabelNgram> pairs) {
  const std::size_t k = label_count_;
  pair_scores_.assign(k * k, 0.0f);
  for (const LabelNgram& pair : pairs) {
    FOVEA_CHECK(pair.size == 2);
    pair_scores_[pair.labels[0] * k + pair.labels[1]] += pair.score;
  }
  largest_ = *std::max_element(pair_scores_.begin(), pair_scores_.end());
  pair_weights_.resize(k * k);
  std::transform(pair_scores_.begin(), pair_scores_.end(), pair_weights_.begin(),
                 [&](float score) { return std::exp(score - largest_); });
}

double PairChainLanes::run(std::vector<RowRange> sequences, const Value* labels, float* rows, double* pair_counts,
                           std::vector<RowRange>& failed) {
  std::erase_if(sequences, [](RowRange r) { return r.length == 0; });
  std::stable_sort(sequences.begin(), sequences.end(), [](RowRange a, RowRange b) { return a.length > b.length; });
  const auto fits = std::find_if(sequences.begin(), sequences.end(), [](RowRange r) { return r.length <= kMaxLength; });
  failed.insert(failed.end(), sequences.begin(), fits);
  const Table pairs{label_count_, pair_scores_.data(), pair_weights_.data(), largest_};
  const std::size_t lanes = HWY_DYNAMIC_DISPATCH(lane_count)();
  double sum = 0;
  for (auto group = fits; group != sequences.end();) {
    const std::size_t size = std::min<std::size_t>(lanes, sequences.end() - group);
    sum += HWY_DYNAMIC_DISPATCH(run_lanes)(pairs, {&*group, size}, labels, rows, workspace_, pair_counts, failed);
    group += static_cast<std::ptrdiff_t>(size);
  }
  return sum;
}

}  // namespace fovea::sequence
#endif
