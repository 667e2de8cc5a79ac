// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/comparison/value_comparer.h"

namespace fovea::linkage {

/// How two records agree in one column: the distinct values of a ColumnExpression, and a ValueComparer over them.
///
///   born                       equal or not
///   given(name):jaro_winkler   any ComparisonKind
///   name:words@size(surname)   in a context (row_contexts): each range of it has levels of its own
///
/// Two records in a context have the levels of the wider of their two ranges.
class Comparison {
 public:
  /// Throws UsageError for what is no comparison, InputError for a column that the table does not have. The table must
  /// stay as it is.
  Comparison(std::string_view text, const io::Table& table);

  const std::string& text() const { return text_; }
  /// A hash of the comparison and of every row's value.
  std::uint64_t fingerprint() const { return fingerprint_; }
  const std::vector<std::size_t>& columns() const { return columns_; }
  const ComparisonKind& kind() const { return *kind_; }
  /// In words; the first is "missing". A context's come range by range.
  const std::vector<std::string>& levels() const { return levels_; }

  std::size_t value_count() const { return values_.size(); }
  /// The number of the row's value, or kNoId if it is missing or none of its kind. Equal values in two contexts count
  /// as two.
  std::uint32_t value(std::size_t row) const { return value_of_row_[row]; }
  /// [value]: rows that have it.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  std::uint32_t count(std::uint32_t value) const { return counts_[value]; }

  Level compare_values(std::uint32_t a, std::uint32_t b) const {
    if (a == kNoId || b == kNoId) return kMissingLevel;
    const Value &x = values_[a], &y = values_[b];
    return in_context(comparer_->compare(x.text, y.text), std::max(x.context, y.context));
  }
  Level compare(std::size_t row, std::size_t other) const { return compare_values(value(row), value(other)); }

  /// compare_values() of all pairs of these values, which are distinct and not kNoId, faster than one by one; nullopt
  /// where the kind knows no such way, or their contexts differ.
  std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values) const;

 private:
  struct Value {
    std::uint32_t text;
    std::uint8_t context;
  };
  Level in_context(Level level, std::uint8_t context) const {
    return level == kMissingLevel ? level : static_cast<Level>(level + context * (kind_->levels.size() - 1));
  }
  void name_levels(bool has_context);
  void number_rows(const NumberedValues& texts, const std::vector<std::uint8_t>& contexts);

  std::string text_;
  std::uint64_t fingerprint_ = 0;
  std::vector<std::size_t> columns_;
  const ComparisonKind* kind_;
  std::vector<std::string> levels_;
  std::vector<std::uint32_t> value_of_row_;
  std::vector<Value> values_;
  std::vector<std::uint32_t> counts_;  // [value]
  std::unique_ptr<ValueComparer> comparer_;
};

/// [comparison]: its levels, as AgreementPatterns takes them.
std::vector<std::size_t> level_counts(std::span<const Comparison> comparisons);

/// Comparisons separated by commas: "name:jaro_winkler, born:date, city".
std::vector<Comparison> parse_comparisons(std::string_view text, const io::Table& table);

}  // namespace fovea::linkage
