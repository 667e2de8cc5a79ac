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

/// Computes the context of each row: a number that describes the rows that share a key with it, reduced to one of a few
/// ranges. Two J. Smiths are less likely to be one person than two J. Snorresons: how strongly an agreement of names
/// counts depends on how many such names there are.
///
///   size(key)               number of rows with that key
///   distinct(column, key)   number of distinct values among them
///   variety(column, key)    number of equally frequent values that would be as hard to guess: exp of the entropy of
///                           the values' shares
///
/// The column is a ColumnExpression, whose missing values do not count; the key is a BlockingRule. A row without a key
/// is treated as the only one with its key. Throws UsageError or InputError if `text` does not have one of these forms.
std::vector<std::uint8_t> row_contexts(std::string_view text, const io::Table& table);

/// [context]: range of its number, in words.
std::span<const char* const> context_ranges();

/// Comparison of two records in one column: the distinct values of a ColumnExpression, and a ValueComparer for them.
///
///   born                       equal or not
///   given(name):jaro_winkler   any ComparisonKind
///   name:words@size(surname)   in a context (row_contexts): each range of it has levels of its own
///
/// With a context, two records get the levels of the higher of their two ranges.
class Comparison {
 public:
  /// Throws UsageError if `text` is not a comparison, InputError if it names a column that the table does not have. The
  /// table must not change afterwards.
  Comparison(std::string_view text, const io::Table& table);

  const std::string& text() const { return text_; }
  /// Hash of the comparison and of every row's value.
  std::uint64_t fingerprint() const { return fingerprint_; }
  const std::vector<std::size_t>& columns() const { return columns_; }
  const ComparisonKind& kind() const { return *kind_; }
  /// The levels in words; the first is "missing". With a context, they are listed range by range.
  const std::vector<std::string>& levels() const { return levels_; }

  std::size_t value_count() const { return values_.size(); }
  /// Number of the row's value; kNoId if the value is missing or not of this kind. Equal values in two contexts have
  /// two numbers.
  std::uint32_t value(std::size_t row) const { return value_of_row_[row]; }
  /// [value]: number of rows that have it.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  std::uint32_t count(std::uint32_t value) const { return counts_[value]; }

  Level compare_values(std::uint32_t a, std::uint32_t b) const {
    if (a == kNoId || b == kNoId) return kMissingLevel;
    const Value &x = values_[a], &y = values_[b];
    return in_context(comparer_->compare(x.text, y.text), std::max(x.context, y.context));
  }
  Level compare(std::size_t row, std::size_t other) const { return compare_values(value(row), value(other)); }

  /// Does compare_values() for all pairs of these values, faster than one by one. The values must be distinct and not
  /// kNoId. Returns nullopt if the kind has no faster way or the contexts of the values differ.
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

/// Number of levels of each comparison, as AgreementPatterns takes them.
std::vector<std::size_t> level_counts(std::span<const Comparison> comparisons);

/// Parses comparisons separated by commas: "name:jaro_winkler, born:date, city".
std::vector<Comparison> parse_comparisons(std::string_view text, const io::Table& table);

}  // namespace fovea::linkage
