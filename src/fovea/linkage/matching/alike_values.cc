// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/alike_values.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "fovea/base/dictionary.h"

namespace fovea::linkage {

AlikeValues::AlikeValues(const MatchModel& model, std::size_t comparison, std::span<const std::uint32_t> rows,
                         std::span<const RowPair> samples, const Stop& stop)
    : comparison_(comparison), values_(MatchModel::renumber(model.comparisons()[comparison], rows)) {
  const Comparison& compared = model.comparisons()[comparison];
  group_rows();
  most_.resize(values_.values.size());
  for (std::size_t k = 0; k < model.match_class_count(); ++k) {
    missing_[k] = model.most_of(k, comparison, kNoId);
    for (std::size_t v = 0; v < most_.size(); ++v) most_[v][k] = model.most_of(k, comparison, values_.values[v]);
  }
  const std::optional<Level> lowest = compared.lowest_level(values_.values);
  if (!lowest) return;
  const Level least = least_level(model, rows, samples, *lowest);
  const auto pairs = compared.alike(values_.values, least, stop);
  if (!pairs) return;
  are_listed_ = true;
  list(*pairs);
  for (std::size_t k = 0; k < model.match_class_count(); ++k) {
    below_[k] = missing_[k];
    for (Level level = *lowest; level < least; ++level)
      below_[k] = std::max(below_[k], model.class_weight(k, comparison, level));
  }
}

/// The lowest level that few pairs reach, or the highest one.
Level AlikeValues::least_level(const MatchModel& model, std::span<const std::uint32_t> rows,
                               std::span<const RowPair> samples, Level lowest) const {
  constexpr double kFew = .003;  // of the pairs; it decides how fast links are found, not which
  const Comparison& compared = model.comparisons()[comparison_];
  std::vector<std::size_t> counts(compared.levels().size());
  for (const RowPair pair : samples) ++counts[compared.compare(rows[pair.first], rows[pair.second])];
  auto least = static_cast<Level>(lowest + compared.kind().levels.size() - 2);
  double reached = static_cast<double>(counts[least]);
  while (least > lowest + 1) {
    reached += static_cast<double>(counts[least - 1]);
    if (reached > kFew * static_cast<double>(samples.size())) break;
    --least;
  }
  return least;
}

void AlikeValues::group_rows() {
  const std::size_t count = values_.values.size();
  first_row_.assign(count + 1, 0);
  for (const std::uint32_t value : values_.of_row)
    if (value != kMissingValue) ++first_row_[value + 1];
  std::partial_sum(first_row_.begin(), first_row_.end(), first_row_.begin());
  rows_.resize(first_row_.back());
  std::vector<std::size_t> next(first_row_.begin(), first_row_.end() - 1);
  for (std::uint32_t row = 0; row < values_.of_row.size(); ++row)
    if (values_.of_row[row] != kMissingValue) rows_[next[values_.of_row[row]]++] = row;
}

void AlikeValues::list(std::span<const SparseLevels::Pair> pairs) {
  const std::size_t count = values_.values.size();
  first_alike_.assign(count + 1, 0);
  counts_.resize(count);
  const auto rows_of = [&](std::uint32_t value) { return first_row_[value + 1] - first_row_[value]; };
  for (std::uint32_t value = 0; value < count; ++value) counts_[value] = rows_of(value) - 1;
  for (const SparseLevels::Pair& pair : pairs) {
    ++first_alike_[pair.first + 1];
    ++first_alike_[pair.second + 1];
    counts_[pair.first] += rows_of(pair.second);
    counts_[pair.second] += rows_of(pair.first);
  }
  std::partial_sum(first_alike_.begin(), first_alike_.end(), first_alike_.begin());
  alike_.resize(first_alike_.back());
  std::vector<std::size_t> next(first_alike_.begin(), first_alike_.end() - 1);
  for (const SparseLevels::Pair& pair : pairs) {
    alike_[next[pair.first]++] = pair.second;
    alike_[next[pair.second]++] = pair.first;
  }
}

}  // namespace fovea::linkage
