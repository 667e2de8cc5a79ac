// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/fellegi_sunter_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

LevelTable zeros(const std::vector<std::size_t>& level_counts) {
  LevelTable table;
  for (const std::size_t levels : level_counts) table.emplace_back(levels);
  return table;
}

LevelTable logs(LevelTable table) {
  for (std::vector<double>& row : table)
    for (double& p : row) p = std::log(p);
  return table;
}

double sum_of(const LevelTable& table, std::span<const Level> levels) {
  double sum = 0;
  for (std::size_t c = 0; c < levels.size(); ++c) sum += table[c][levels[c]];
  return sum;
}

void add_to(LevelTable& table, std::span<const Level> levels, double count) {
  for (std::size_t c = 0; c < levels.size(); ++c) table[c][levels[c]] += count;
}

}  // namespace

MatchWeights FellegiSunterModel::weights() const {
  MatchWeights result{.prior_log_odds = std::log(match_share) - std::log1p(-match_share), .weights = logs(m)};
  const LevelTable log_u = logs(u);
  for (std::size_t c = 0; c < log_u.size(); ++c)
    for (std::size_t l = 0; l < log_u[c].size(); ++l) result.weights[c][l] -= log_u[c][l];
  return result;
}

MatchExpectation FellegiSunterModel::expect(const AgreementPatterns& patterns) const {
  MatchExpectation result{.m = zeros(patterns.level_counts()), .u = zeros(patterns.level_counts())};
  const LevelTable log_m = logs(m), log_u = logs(u);
  const double log_share = std::log(match_share), log_rest = std::log1p(-match_share);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::span<const Level> levels = patterns.levels(i);
    const double match = log_share + sum_of(log_m, levels), other = log_rest + sum_of(log_u, levels);
    const double odds = std::exp(-std::abs(match - other));  // of the less likely class
    const double matches = patterns.count(i) * (match > other ? 1 : odds) / (1 + odds);
    const double others = patterns.count(i) * (match > other ? odds : 1) / (1 + odds);
    result.log_likelihood += patterns.count(i) * (std::max(match, other) + std::log1p(odds));
    result.matches += matches;
    result.others += others;
    add_to(result.m, levels, matches);
    add_to(result.u, levels, others);
  }
  return result;
}

std::vector<double> level_probabilities(std::vector<double> counts, double pseudo_count) {
  double total = 0;
  for (std::size_t l = 1; l < counts.size(); ++l) total += counts[l] += pseudo_count;
  FOVEA_CHECK(total > 0);
  for (double& p : counts) p /= total;
  counts[kMissingLevel] = 1;
  return counts;
}

std::vector<double> level_probabilities(std::vector<double> counts, double pseudo_count,
                                        std::span<const double> chance) {
  const double all = pseudo_count * static_cast<double>(counts.size() - 1);
  for (std::size_t l = 1; l < counts.size(); ++l) counts[l] += all * chance[l];
  return level_probabilities(std::move(counts), 0);
}

std::vector<double> agreeing_levels(std::size_t levels) {
  std::vector<double> row(levels);
  for (std::size_t l = 0; l < levels; ++l) row[l] = std::pow(4, static_cast<double>(l));
  return level_probabilities(std::move(row), 0);
}

LevelTable count_levels(const AgreementPatterns& patterns) {
  LevelTable counts = zeros(patterns.level_counts());
  for (std::size_t i = 0; i < patterns.size(); ++i) add_to(counts, patterns.levels(i), patterns.count(i));
  return counts;
}

LevelTable level_frequencies(const AgreementPatterns& patterns, double pseudo_count) {
  FOVEA_CHECK(pseudo_count > 0);
  LevelTable table = count_levels(patterns);
  for (std::vector<double>& row : table) row = level_probabilities(std::move(row), pseudo_count);
  return table;
}

}  // namespace fovea::linkage
