// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/linkage/blocking/blocking.h"

namespace fovea::linkage {
namespace {

constexpr std::array kRangeBounds = {1.1, 2.0, 4.0, 10.0, 50.0, 250.0};
constexpr std::array kRangeNames = {"1", "below 2", "2 to 4", "4 to 10", "10 to 50", "50 to 250", "250 or more"};

std::uint8_t range_of(double number) {
  // A number computed from logarithms must not fall below its bound through rounding.
  return static_cast<std::uint8_t>(
      std::ranges::count_if(kRangeBounds, [&](double bound) { return number >= bound * (1 - 1e-9); }));
}

using Counts = tsl::robin_map<std::uint32_t, double>;

double distinct(const Counts& counts) { return static_cast<double>(counts.size()); }

double variety(const Counts& counts) {
  double total = 0, sum = 0;
  for (const auto& [value, count] : counts) {
    total += count;
    sum += count * std::log(count);
  }
  return total > 0 ? total * std::exp(-sum / total) : 0;
}

std::vector<std::uint8_t> sizes(const BlockingRule& key, const io::Table& table) {
  const Blocks blocks = group_rows(table, key);
  std::vector<std::uint8_t> contexts(table.row_count(), range_of(1));
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (const std::uint32_t row : blocks[block]) contexts[row] = range_of(static_cast<double>(blocks[block].size()));
  return contexts;
}

template <class Number>
std::vector<std::uint8_t> value_numbers(Number number, std::string_view column, const BlockingRule& key,
                                        const io::Table& table) {
  const NumberedValues values = number_values(ColumnExpression(column, table), table);
  const Blocks blocks = group_rows(table, key);
  std::vector<std::uint8_t> contexts(table.row_count(), 0);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    Counts counts;
    for (const std::uint32_t row : blocks[block])
      if (values.of_row[row] != kNoId) ++counts[values.of_row[row]];
    const std::uint8_t context = range_of(number(counts));
    for (const std::uint32_t row : blocks[block]) contexts[row] = context;
  }
  return contexts;
}

const ComparisonKind& kind_called(std::string_view name) {
  const auto kinds = comparison_kinds();
  const auto at = std::ranges::find_if(kinds, [&](const ComparisonKind& kind) { return kind.name == name; });
  if (at != kinds.end()) return *at;
  std::vector<std::string> names;
  for (const ComparisonKind& kind : kinds) names.emplace_back(kind.name);
  throw UsageError(fmt::format("no comparison is called '{}'.{} There are {}", name, suggestion(name, names),
                               fmt::join(names, ", ")));
}

std::uint64_t fingerprint_of(std::string_view comparison, std::span<const std::string_view> values,
                             std::span<const std::uint32_t> value_of_row) {
  std::uint64_t hash = hash_text(comparison);
  for (const std::string_view value : values) hash = hash_text(value, hash);
  return hash_text({reinterpret_cast<const char*>(value_of_row.data()), value_of_row.size_bytes()}, hash);
}

}  // namespace

std::vector<std::uint8_t> row_contexts(std::string_view text, const io::Table& table) {
  const std::string_view call = trimmed(text);
  const std::size_t open = call.find('(');
  const std::string_view name = trimmed(call.substr(0, open));
  if (open != call.npos && call.back() == ')') {
    const auto arguments = split_expression(call.substr(open + 1, call.size() - open - 2), ',');
    if (name == "size" && arguments.size() == 1) return sizes(BlockingRule(arguments[0], table), table);
    if (name == "distinct" && arguments.size() == 2)
      return value_numbers(distinct, arguments[0], BlockingRule(arguments[1], table), table);
    if (name == "variety" && arguments.size() == 2)
      return value_numbers(variety, arguments[0], BlockingRule(arguments[1], table), table);
  }
  throw UsageError(
      fmt::format("'{}' is not a context; write size(key), distinct(column, key) or variety(column, key)", call));
}

std::span<const char* const> context_ranges() {
  static_assert(kRangeNames.size() == kRangeBounds.size() + 1);
  return kRangeNames;
}

Comparison::Comparison(std::string_view text, const io::Table& table) : text_(text) {
  const bool is_column = table.find_column(text).has_value();
  const std::size_t at = is_column ? text.npos : find_in_expression(text, '@');
  const std::string_view compared = text.substr(0, at);
  const std::size_t colon = is_column ? text.npos : find_last_in_expression(compared, ':');
  kind_ = &kind_called(colon == compared.npos ? "exact" : trimmed(compared.substr(colon + 1)));
  const ColumnExpression expression(compared.substr(0, colon), table);
  columns_ = expression.columns();
  const NumberedValues texts = number_values(expression, table);
  std::vector<std::string_view> views;
  for (std::uint32_t id = 0; id < texts.values.size(); ++id) views.push_back(texts.values.text(id));
  comparer_ = kind_->make(views);
  name_levels(at != text.npos);
  fingerprint_ = fingerprint_of(text, views, texts.of_row);
  number_rows(texts, at == text.npos ? std::vector<std::uint8_t>(table.row_count(), 0)
                                     : row_contexts(text.substr(at + 1), table));
}

void Comparison::name_levels(bool has_context) {
  levels_ = kind_->levels;
  if (!has_context) return;
  levels_.resize(1);
  for (const char* range : context_ranges())
    for (std::size_t level = 1; level < kind_->levels.size(); ++level)
      levels_.push_back(fmt::format("{} ({})", kind_->levels[level], range));
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
      counts_.push_back(0);
    }
    value_of_row_.back() = number;
    ++counts_[number];
  }
}

std::optional<SparseLevels> Comparison::compare_all(std::span<const std::uint32_t> values) const {
  if (values.empty()) return SparseLevels{};
  const std::uint8_t context = values_[values.front()].context;
  std::vector<std::uint32_t> texts;
  for (const std::uint32_t value : values) {
    if (values_[value].context != context) return std::nullopt;
    texts.push_back(values_[value].text);
  }
  std::optional<SparseLevels> levels = comparer_->compare_all(texts);
  if (!levels) return levels;
  levels->common = in_context(levels->common, context);
  for (SparseLevels::Pair& pair : levels->others) pair.level = in_context(pair.level, context);
  return levels;
}

std::vector<Comparison> parse_comparisons(std::string_view text, const io::Table& table) {
  std::vector<Comparison> comparisons;
  for (const std::string_view piece : split_expression(text, ',')) {
    if (piece.empty()) throw UsageError("a comparison is empty; write column:kind,column:kind");
    comparisons.emplace_back(piece, table);
  }
  return comparisons;
}

std::vector<std::size_t> level_counts(std::span<const Comparison> comparisons) {
  std::vector<std::size_t> counts;
  for (const Comparison& comparison : comparisons) counts.push_back(comparison.levels().size());
  return counts;
}

}  // namespace fovea::linkage
