// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/match_model.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fovea {
namespace {

/// The distinct values of some rows, renumbered 0, 1, ... in order of appearance.
struct LocalValues {
  std::vector<std::uint32_t> of_row;  // local numbers
  std::vector<std::uint32_t> values;  // [local number]
};

LocalValues renumber(const Comparison& comparison, std::span<const std::uint32_t> rows) {
  LocalValues local;
  local.of_row.reserve(rows.size());
  tsl::robin_map<std::uint32_t, std::uint32_t> numbers;
  for (const std::uint32_t row : rows) {
    const std::uint32_t value = comparison.value(row);
    const auto [at, is_new] = numbers.try_emplace(value, static_cast<std::uint32_t>(local.values.size()));
    if (is_new) local.values.push_back(value);
    local.of_row.push_back(at->second);
  }
  return local;
}

}  // namespace

MatchModel::MatchModel(std::span<const Comparison> comparisons, MatchParameters parameters)
    : comparisons_(comparisons), parameters_(std::move(parameters)) {
  parameters_.equal_share.resize(comparisons_.size());
  for (const Comparison& comparison : comparisons_)
    frequencies_.emplace_back(comparison.counts(), parameters_.term_frequency);
}

MatchModel::Term MatchModel::value_term(std::size_t comparison, std::uint32_t a, std::uint32_t b) const {
  const Comparison& c = comparisons_[comparison];
  Term term{.level = c.compare_values(a, b)};
  term.weight = parameters_.weights.weights[comparison][term.level];
  const double equal_share = parameters_.equal_share[comparison];
  if (equal_share > 0 && term.level + 1U == c.kind().levels.size()) {
    // Values that are spelt in two ways are as frequent as the more frequent spelling.
    const std::uint32_t frequent = c.count(a) > c.count(b) ? a : b;
    term.adjustment = frequencies_[comparison].adjustment(frequent, equal_share);
  }
  return term;
}

AttributePairs MatchModel::pairs_of(std::span<const std::uint32_t> rows, double least_score) const {
  AttributePairs pairs(rows.size(), parameters_.weights.prior_log_odds - least_score);
  for (std::size_t c = 0; c < comparisons_.size(); ++c) {
    LocalValues local = renumber(comparisons_[c], rows);
    const std::size_t count = local.values.size();
    std::vector<float> scores(count * count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i; j < count; ++j)
        scores[i * count + j] = scores[j * count + i] =
            static_cast<float>(value_term(c, local.values[i], local.values[j]).sum());
    pairs.add_attribute(std::move(local.of_row), count, std::move(scores));
  }
  return pairs;
}

double probability_of(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

}  // namespace fovea
