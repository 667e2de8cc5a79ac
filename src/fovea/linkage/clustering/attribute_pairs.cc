// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/attribute_pairs.h"

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea::linkage {

void AttributePairs::add_attribute(std::vector<std::uint32_t> values, std::size_t value_count,
                                   std::vector<float> scores) {
  FOVEA_CHECK(values.size() == records_ && scores.size() == value_count * value_count);
  FOVEA_CHECK(std::ranges::all_of(values, [&](std::uint32_t value) { return value < value_count; }));
  FOVEA_CHECK(std::ranges::all_of(scores, [](float score) { return std::isfinite(score); }));
  if (!scores.empty()) {
    const auto [least, most] = std::ranges::minmax(scores);
    lowest_ += double{least};
    highest_ += double{most};
  }
  dense_.push_back({std::move(values), value_count, std::move(scores)});
}

void AttributePairs::add_sparse_attribute(std::vector<std::uint32_t> values, SparseScores scores, float missing_score) {
  FOVEA_CHECK(values.size() == records_ && std::isfinite(missing_score));
  FOVEA_CHECK(std::ranges::all_of(
      values, [&](std::uint32_t value) { return value < scores.value_count() || value == kMissingValue; }));
  const double missing = double{missing_score};
  lowest_ += std::min(missing, scores.default_score() + scores.least_excess());
  highest_ += std::max(missing, scores.default_score() + scores.most_excess());
  sparse_.push_back({std::move(values), std::move(scores), missing});
  is_plain_ = false;
}

void AttributePairs::set_weights(std::vector<std::uint32_t> weights) {
  FOVEA_CHECK(weights.size() == records_);
  FOVEA_CHECK(std::ranges::all_of(weights, [](std::uint32_t weight) { return weight > 0; }));
  weights_ = std::move(weights);
  largest_weight_ = weights_.empty() ? 1 : std::ranges::max(weights_);
  is_plain_ = sparse_.empty() && largest_weight_ == 1;
}

double AttributePairs::sum_of_scores(RecordId m, std::span<const RecordId> others) const {
  double sum = 0;
  if (is_plain_)
    for (const RecordId n : others) sum += dense_score(m, n);
  else
    for (const RecordId n : others) sum += finish(dense_score(m, n), m, n);
  return sum;
}

double AttributePairs::finish(double score, RecordId m, RecordId n) const {
  for (const SparseAttribute& attribute : sparse_) {
    const std::uint32_t value = attribute.values[m], other = attribute.values[n];
    if (value == kMissingValue || other == kMissingValue) score += attribute.missing_score;
    else score += attribute.scores.default_score() + attribute.scores.excess(value, other);
  }
  return weight(m) * weight(n) * score;
}

}  // namespace fovea::linkage
