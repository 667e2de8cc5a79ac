// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/text.h"
#include "fovea/linkage/comparison/comparison_text.h"

namespace fovea::linkage {
namespace {

std::uint64_t fingerprint_of(std::string_view comparison, std::span<const std::string_view> values,
                             std::span<const std::uint32_t> value_of_row) {
  std::uint64_t hash = hash_text(comparison);
  for (const std::string_view value : values) hash = hash_text(value, hash);
  return hash_text({reinterpret_cast<const char*>(value_of_row.data()), value_of_row.size_bytes()}, hash);
}

}  // namespace

Comparison::Comparison(std::string_view text, const io::Table& table, const MatchStatistics* statistics) : text_(text) {
  FOVEA_CHECK(statistics == nullptr || !statistics->is_complete);
  const ComparisonText parts(text, table);
  kind_ = parts.kind;
  compared_ = parts.compared();
  columns_ = parts.expression.columns();
  const NumberedValues texts = number_values(parts.expression, table);
  std::vector<std::string_view> views;
  for (std::uint32_t id = 0; id < texts.values.size(); ++id) views.push_back(texts.values.text(id));
  const ValueStatistics* values = statistics != nullptr ? &statistics->of_values(compared_) : nullptr;
  const ContextStatistics* contexts =
      statistics != nullptr && parts.has_context ? &statistics->of_context(parts.context) : nullptr;
  comparer_ = kind_.make(views, values);
  levels_ = level_names(kind_, parts.has_context);
  fingerprint_ = fingerprint_of(text, views, texts.of_row);
  if (values != nullptr) fingerprint_ = hash_numbers(std::array{values->fingerprint()}, fingerprint_);
  if (contexts != nullptr) fingerprint_ = hash_numbers(std::array{contexts->fingerprint()}, fingerprint_);
  number_rows(texts, parts.has_context ? row_contexts(parts.context, table, contexts)
                                       : std::vector<std::uint8_t>(table.row_count(), 0));
  count_values(texts, values);
  count_unreadable(parts.expression, texts, table);
}

void Comparison::count_unreadable(const ColumnExpression& expression, const NumberedValues& texts,
                                  const io::Table& table) {
  if (expression.dates() != nullptr) unreadable_ = count_unreadable_dates(expression, table);
  else if (!kind_.cells_are.empty())
    for (std::size_t row = 0; row < texts.of_row.size(); ++row)
      if (texts.of_row[row] != kNoId) unreadable_.add(row, value(row) != kNoId);
}

void Comparison::number_rows(const NumberedValues& texts, const std::vector<std::uint8_t>& contexts) {
  std::vector<std::uint8_t> is_missing;
  for (std::uint32_t id = 0; id < texts.values.size(); ++id)
    is_missing.push_back(comparer_->compare(id, id) == kMissingLevel);
  std::vector<std::uint32_t> numbers(context_ranges().size() * texts.values.size(), kNoId);
  for (std::size_t row = 0; row < contexts.size(); ++row) {
    const std::uint32_t text = texts.of_row[row];
    value_of_row_.push_back(kNoId);
    if (text == kNoId || is_missing[text]) continue;
    std::uint32_t& number = numbers[contexts[row] * texts.values.size() + text];
    if (number == kNoId) {
      number = static_cast<std::uint32_t>(values_.size());
      values_.push_back({text, contexts[row]});
    }
    value_of_row_.back() = number;
  }
}

void Comparison::count_values(const NumberedValues& texts, const ValueStatistics* statistics) {
  if (statistics != nullptr) {
    for (const Value& value : values_)
      counts_.push_back(statistics->text_rows.count(hash_text(texts.values.text(value.text))));
    totals_ = {static_cast<double>(statistics->rows), static_cast<double>(statistics->values)};
    return;
  }
  counts_.resize(values_.size());
  for (const std::uint32_t value : value_of_row_) {
    if (value == kNoId) continue;
    ++counts_[value];
    ++totals_.rows;
  }
  totals_.values = static_cast<double>(values_.size());
}

std::optional<SparseLevels> Comparison::compare_all(std::span<const std::uint32_t> values, const Stop& stop) const {
  const std::optional<Level> lowest = lowest_level(values);
  if (values.empty() || !lowest) return values.empty() ? std::optional(SparseLevels{}) : std::nullopt;
  std::optional<SparseLevels> levels = comparer_->compare_all(texts_of(values), stop);
  if (!levels) return levels;
  const auto below = static_cast<Level>(*lowest - 1);  // of the context
  levels->common = static_cast<Level>(levels->common + below);
  for (SparseLevels::Pair& pair : levels->others) pair.level = static_cast<Level>(pair.level + below);
  return levels;
}

std::vector<std::uint32_t> Comparison::texts_of(std::span<const std::uint32_t> values) const {
  std::vector<std::uint32_t> texts;
  texts.reserve(values.size());
  for (const std::uint32_t value : values) texts.push_back(values_[value].text);
  return texts;
}

std::optional<Level> Comparison::lowest_level(std::span<const std::uint32_t> values) const {
  if (values.empty()) return Level{1};
  const std::uint8_t context = values_[values.front()].context;
  if (std::ranges::any_of(values, [&](std::uint32_t value) { return values_[value].context != context; }))
    return std::nullopt;
  return in_context(1, context);
}

std::optional<std::vector<SparseLevels::Pair>> Comparison::alike(std::span<const std::uint32_t> values, Level least,
                                                                 const Stop& stop) const {
  if (values.empty()) return std::vector<SparseLevels::Pair>();
  const auto below = static_cast<Level>(*lowest_level(values) - 1);  // of the context
  auto pairs = comparer_->alike(texts_of(values), static_cast<Level>(least - below), stop);
  if (pairs)
    for (SparseLevels::Pair& pair : *pairs) pair.level = static_cast<Level>(pair.level + below);
  return pairs;
}

std::vector<Comparison> parse_comparisons(std::string_view text, const io::Table& table,
                                          const MatchStatistics* statistics, int threads) {
  std::optional<MatchStatistics> small;
  if (statistics != nullptr && statistics->is_complete) statistics = &small.emplace(statistics->reduced());
  const auto pieces = split_expression(text, ',');
  std::vector<std::optional<Comparison>> prepared(pieces.size());
  parallel_for(pieces.size(), 1, threads, [&](std::size_t i, std::size_t) {
    if (pieces[i].empty()) throw UsageError("a comparison is empty; write column:kind,column:kind");
    prepared[i].emplace(pieces[i], table, statistics);
  });
  std::vector<Comparison> comparisons;
  for (std::optional<Comparison>& comparison : prepared) comparisons.push_back(*std::move(comparison));
  return comparisons;
}

void compare_rows(std::span<const Comparison> comparisons, std::size_t row, std::size_t other,
                  std::vector<Level>& levels) {
  levels.clear();
  for (const Comparison& comparison : comparisons) levels.push_back(comparison.compare(row, other));
}

std::vector<std::size_t> level_counts(std::span<const Comparison> comparisons) {
  std::vector<std::size_t> counts;
  for (const Comparison& comparison : comparisons) counts.push_back(comparison.levels().size());
  return counts;
}

}  // namespace fovea::linkage
