// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/linkage/matching/match_model.h"

namespace fovea::bench {

/// Some rows as a PairModel: every pair score compares the values of two rows anew, as the paper's factors do.
class RowPairs {
 public:
  /// No |score| of the model is above `bound`.
  RowPairs(const linkage::MatchModel& model, std::span<const std::uint32_t> rows, double bound)
      : model_(&model), rows_(rows), bound_(bound) {}
  std::size_t record_count() const { return rows_.size(); }
  double pair_score(linkage::RecordId m, linkage::RecordId n) const { return model_->score({rows_[m], rows_[n]}); }
  double score_bound(linkage::RecordId) const { return bound_; }

 private:
  const linkage::MatchModel* model_;
  std::span<const std::uint32_t> rows_;
  double bound_;
};

/// Of a model that does not adjust for the frequencies of values.
inline double score_bound(const linkage::MatchWeights& weights) {
  double lowest = weights.prior_log_odds, highest = weights.prior_log_odds;
  for (const std::vector<double>& levels : weights.weights) {
    lowest += std::ranges::min(levels);
    highest += std::ranges::max(levels);
  }
  return std::max(std::abs(lowest), std::abs(highest));
}

}  // namespace fovea::bench
