// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/match_model.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/linkage/comparison/comparison_meter.h"

namespace fovea::linkage {
namespace {

/// Number of values from which on a table of all pairs takes longer than searches among the exceptions.
constexpr std::size_t kManyValues = 200;

}  // namespace

MatchModel::LocalValues MatchModel::renumber(const Comparison& comparison, std::span<const std::uint32_t> rows) {
  LocalValues local;
  local.of_row.reserve(rows.size());
  tsl::robin_map<std::uint32_t, std::uint32_t> numbers;
  for (const std::uint32_t row : rows) {
    const std::uint32_t value = comparison.value(row);
    if (value == kNoId) {
      local.has_missing = true;
      local.of_row.push_back(kMissingValue);
      continue;
    }
    const auto [at, is_new] = numbers.try_emplace(value, static_cast<std::uint32_t>(local.values.size()));
    if (is_new) local.values.push_back(value);
    local.of_row.push_back(at->second);
  }
  return local;
}

MatchModel::MatchModel(std::span<const Comparison> comparisons, MatchParameters parameters)
    : comparisons_(comparisons), parameters_(std::move(parameters)) {
  parameters_.equal_share.resize(comparisons_.size());
  for (const Comparison& comparison : comparisons_)
    frequencies_.emplace_back(comparison.counts(), comparison.totals(), parameters_.term_frequency);
  for (std::size_t c = 0; c < comparisons_.size(); ++c) {
    const std::vector<std::uint64_t>& counts = comparisons_[c].counts();
    const auto rarest = static_cast<std::uint32_t>(std::ranges::min_element(counts) - counts.begin());
    most_adjustment_.push_back(counts.empty() ? 0 : adjustment_of(c, rarest, rarest));
  }
  if (!parameters_.mixture.has_related()) return;
  mixture_.emplace(parameters_.mixture);
  for (std::size_t k = 0; k < mixture_->class_count(); ++k)
    if (mixture_->is_match(k)) match_classes_.push_back(k);
}

double MatchModel::prior_score() const {
  return parameters_.weights.prior_log_odds + (mixture_ ? mixture_->score(mixture_->start()) : 0);
}

std::vector<MatchModel::Term> MatchModel::terms(RowPair pair) const {
  std::vector<Term> terms;
  for (std::size_t c = 0; c < comparisons_.size(); ++c) terms.push_back(term(c, pair));
  if (!mixture_) return terms;
  MixtureScore::Sums sums = mixture_->start();
  double before = mixture_->score(sums);
  for (std::size_t c = 0; c < terms.size(); ++c) {
    mixture_->add(sums, c, terms[c].level, std::exchange(terms[c].adjustment, 0));
    const double after = mixture_->score(sums);
    terms[c].weight += after - before;
    before = after;
  }
  return terms;
}

double MatchModel::prior_of_class(std::size_t k) const {
  const double prior = parameters_.weights.prior_log_odds;
  if (!mixture_) return prior;
  return prior + mixture_->start()[match_classes_[k]] - mixture_->start()[mixture_->class_count()];
}

double MatchModel::class_weight(std::size_t k, std::size_t comparison, Level level) const {
  const double weight = parameters_.weights.weights[comparison][level];
  return mixture_ ? weight + mixture_->log_ratio(comparison, level, match_classes_[k]) : weight;
}

double MatchModel::most_with(std::size_t k, std::size_t comparison, double adjustment) const {
  const std::size_t highest = parameters_.weights.weights[comparison].size() - 1;
  double most = class_weight(k, comparison, static_cast<Level>(highest)) + adjustment;
  for (std::size_t level = 0; level < highest; ++level)
    most = std::max(most, class_weight(k, comparison, static_cast<Level>(level)));
  return most;
}

double MatchModel::most_of(std::size_t k, std::size_t comparison) const {
  return most_with(k, comparison, most_adjustment_[comparison]);
}

double MatchModel::most_of(std::size_t k, std::size_t comparison, std::uint32_t value) const {
  if (value == kNoId) return class_weight(k, comparison, kMissingLevel);
  return most_with(k, comparison, adjustment_of(comparison, value, value));
}

EqualRows MatchModel::merge_equal(std::span<const std::uint32_t> rows, double least_score,
                                  const std::vector<bool>& stays_alone) const {
  EqualRows equal;
  tsl::robin_map<std::string, std::uint32_t> groups;  // values as bytes -> number
  std::string key;
  const auto add_group = [&](std::uint32_t row) {
    equal.group.push_back(static_cast<std::uint32_t>(equal.rows.size()));
    equal.rows.push_back(row);
    equal.counts.push_back(1);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t row = rows[i];
    if (!stays_alone.empty() && stays_alone[i]) {
      add_group(row);
      continue;
    }
    key.clear();
    for (const Comparison& comparison : comparisons_) {
      const std::uint32_t value = comparison.value(row);
      key.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    const auto [at, is_new] = groups.try_emplace(key, static_cast<std::uint32_t>(equal.rows.size()));
    if (is_new || score({equal.rows[at->second], row}) <= least_score) {
      add_group(row);
    } else {
      equal.group.push_back(at->second);
      ++equal.counts[at->second];
    }
  }
  return equal;
}

AttributePairs MatchModel::pairs_of(std::span<const std::uint32_t> rows, double least_score, const Stop& stop) const {
  FOVEA_CHECK(is_additive());
  AttributePairs pairs(rows.size(), parameters_.weights.prior_log_odds - least_score);
  for (std::size_t c = 0; c < comparisons_.size(); ++c) {
    LocalValues local = renumber(comparisons_[c], rows);
    const std::optional<SparseLevels> levels = comparisons_[c].compare_all(local.values, stop);
    if (levels && local.values.size() >= kManyValues) add_sparsely(c, *levels, std::move(local), pairs);
    else add_table(c, levels, std::move(local), stop, pairs);
  }
  return pairs;
}

void MatchModel::add_table(std::size_t comparison, const std::optional<SparseLevels>& levels, LocalValues local,
                           const Stop& stop, AttributePairs& pairs) const {
  ComparisonMeter meter(stop, "comparing records of a group");
  const std::size_t present = local.values.size(), count = present + local.has_missing;
  const std::vector<double>& weights = parameters_.weights.weights[comparison];
  std::vector<float> scores(count * count, static_cast<float>(weights[kMissingLevel]));
  const auto set = [&](std::size_t i, std::size_t j, Level level) {
    const double score = level_term(comparison, level, local.values[i], local.values[j]).sum();
    scores[i * count + j] = scores[j * count + i] = static_cast<float>(score);
  };
  const Comparison& compared = comparisons_[comparison];
  for (std::size_t i = 0; i < present; ++i) {
    set(i, i, compared.compare_values(local.values[i], local.values[i]));
    for (std::size_t j = i + 1; j < present; ++j) {
      meter.count();
      set(i, j, levels ? levels->common : compared.compare_values(local.values[i], local.values[j]));
    }
  }
  if (levels)
    for (const SparseLevels::Pair& pair : levels->others) set(pair.first, pair.second, pair.level);
  for (std::uint32_t& value : local.of_row)
    if (value == kMissingValue) value = static_cast<std::uint32_t>(present);
  pairs.add_attribute(std::move(local.of_row), count, std::move(scores));
}

void MatchModel::add_sparsely(std::size_t comparison, const SparseLevels& levels, LocalValues local,
                              AttributePairs& pairs) const {
  const std::vector<double>& weights = parameters_.weights.weights[comparison];
  std::vector<ValuePairScore> exceptions;
  const auto add = [&](std::uint32_t i, std::uint32_t j, Level level) {
    const double score = level_term(comparison, level, local.values[i], local.values[j]).sum();
    exceptions.push_back({i, j, static_cast<float>(score)});
  };
  for (const SparseLevels::Pair& pair : levels.others) add(pair.first, pair.second, pair.level);
  for (std::uint32_t i = 0; i < local.values.size(); ++i)
    add(i, i, comparisons_[comparison].compare_values(local.values[i], local.values[i]));
  SparseScores scores(local.values.size(), static_cast<float>(weights[levels.common]), exceptions);
  pairs.add_sparse_attribute(std::move(local.of_row), std::move(scores), static_cast<float>(weights[kMissingLevel]));
}

double probability_of(double log_odds) { return sigmoid(log_odds); }

}  // namespace fovea::linkage
