// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

/// Neighbouring levels that share one likelihood ratio.
struct LevelPool {
  std::size_t levels = 0;
  double matches = 0, others = 0;  // sums of u exp(w) and of u

  bool is_above(const LevelPool& next) const { return matches * next.others > next.matches * others; }
};

void make_range_monotone(std::span<double> weights, std::span<const double> u) {
  std::vector<LevelPool> pools;
  for (std::size_t l = 0; l < weights.size(); ++l) {
    pools.push_back({1, u[l] * std::exp(weights[l]), u[l]});
    while (pools.size() > 1 && pools[pools.size() - 2].is_above(pools.back())) {
      const LevelPool last = pools.back();
      pools.pop_back();
      pools.back().levels += last.levels;
      pools.back().matches += last.matches;
      pools.back().others += last.others;
    }
  }
  std::size_t level = 0;
  for (const LevelPool& pool : pools) {
    if (pool.levels > 1) std::ranges::fill(weights.subspan(level, pool.levels), std::log(pool.matches / pool.others));
    level += pool.levels;
  }
}

}  // namespace

double MatchWeights::score(std::span<const Level> levels) const {
  FOVEA_CHECK(levels.size() == weights.size());
  double sum = prior_log_odds;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    FOVEA_CHECK(levels[c] < weights[c].size());
    sum += weights[c][levels[c]];
  }
  return sum;
}

void make_monotone(LevelTable& weights, const LevelTable& u, std::span<const std::size_t> range_sizes) {
  FOVEA_CHECK(weights.size() == u.size() && weights.size() == range_sizes.size());
  for (std::size_t c = 0; c < weights.size(); ++c)
    for (std::size_t first = 1; first < weights[c].size(); first += range_sizes[c])
      make_range_monotone(std::span(weights[c]).subspan(first, range_sizes[c]),
                          std::span(u[c]).subspan(first, range_sizes[c]));
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
