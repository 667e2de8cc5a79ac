// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf/attribute_scales.h"

#include <algorithm>
#include <cmath>

namespace fovea::sequence {
namespace {

/// True if a bundle holds one attribute. Values belong to items and multiply a bundle, so only such bundles can be
/// scaled through them.
bool holds_one(const SparseRows& bundles, std::uint32_t bundle) { return bundles.row(bundle).size() == 1; }

}  // namespace

AttributeScales::AttributeScales(const TrainingSet& set) : scale_(set.attribute_count, 1.0f) {
  const SparseRows &items = set.items.items, &bundles = set.items.bundles;
  if (items.values.empty()) return;
  for (std::size_t e = 0; e < items.columns.size(); ++e) {
    if (!(std::abs(items.values[e]) > kLargestValue) || !holds_one(bundles, items.columns[e])) continue;
    float& scale = scale_[bundles.row(items.columns[e])[0]];
    scale = std::max(scale, std::abs(items.values[e]));
  }
  for (std::uint32_t b = 0; b < bundles.row_count(); ++b)
    if (!holds_one(bundles, b))
      for (const std::uint32_t a : bundles.row(b)) scale_[a] = 1;
  for (std::uint32_t a = 0; a < scale_.size(); ++a)
    if (scale_[a] != 1) scaled_.push_back({a, scale_[a]});
}

TrainingSet AttributeScales::apply(const TrainingSet& set) const {
  TrainingSet result = set;
  SparseRows& items = result.items.items;
  for (std::size_t e = 0; e < items.columns.size(); ++e)
    if (holds_one(set.items.bundles, items.columns[e]))
      items.values[e] /= scale_[set.items.bundles.row(items.columns[e])[0]];
  return result;
}

CrfWeights AttributeScales::to_scaled(const CrfWeights& weights) const { return weights.times(scale_); }

CrfWeights AttributeScales::to_original(const CrfWeights& weights) const {
  std::vector<float> inverse(scale_);
  for (float& scale : inverse) scale = 1 / scale;
  return weights.times(inverse);
}

}  // namespace fovea::sequence
