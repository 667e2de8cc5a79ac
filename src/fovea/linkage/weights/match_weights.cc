// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_weights.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {

double MatchWeights::score(std::span<const Level> levels) const {
  FOVEA_CHECK(levels.size() == weights.size());
  double sum = prior_log_odds;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    FOVEA_CHECK(levels[c] < weights[c].size());
    sum += weights[c][levels[c]];
  }
  return sum;
}

TermFrequencies::TermFrequencies(std::vector<std::uint64_t> counts, const TermFrequencyOptions& options)
    : TermFrequencies(std::move(counts), {}, options) {
  total_ = std::accumulate(counts_.begin(), counts_.end(), 0.0) +
           options.pseudo_count * static_cast<double>(counts_.size() + 1);
}

TermFrequencies::TermFrequencies(std::vector<std::uint64_t> counts, const TermTotals& totals,
                                 const TermFrequencyOptions& options)
    : counts_(std::move(counts)), options_(options), total_(totals.rows + options.pseudo_count * (totals.values + 1)) {
  validate(options);
}

double TermFrequencies::frequency(std::size_t value) const {
  const double count = value < counts_.size() ? static_cast<double>(counts_[value]) : 0;
  return (count + options_.pseudo_count) / total_;
}

double TermFrequencies::adjustment(std::size_t value, double u) const {
  FOVEA_CHECK(0 < u && u <= 1);
  return options_.strength * std::log(u / frequency(value));
}

}  // namespace fovea::linkage
