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
#include "fovea/linkage/comparison/comparison_kind.h"
#include "fovea/linkage/comparison/row_contexts.h"
#include "fovea/linkage/comparison/value_comparer.h"
#include "fovea/linkage/statistics/match_statistics.h"
#include "fovea/linkage/weights/match_weights.h"

namespace fovea::linkage {

/// Comparison of two records in one column: the distinct values of a ColumnExpression, and a ValueComparer for them.
///
///   born                       equal or not
///   given(name):jaro_winkler   any ComparisonKind
///   born:date(1d, 1y)          a kind with levels of its own
///   name:words@size(surname)   in a context (row_contexts): each range of it has levels of its own
///
/// With a context, two records get the levels of the higher of their two ranges.
class Comparison {
 public:
  /// Throws UsageError if `text` is not a comparison, InputError if it names a column that the table does not have. The
  /// table must not change afterwards. `statistics`, if given, are reduced ones of some table, which count instead of
  /// this one; they are not needed afterwards. InputError if they know nothing of this comparison.
  Comparison(std::string_view text, const io::Table& table, const MatchStatistics* statistics = nullptr);

  const std::string& text() const { return text_; }
  /// Name of its values in MatchStatistics.
  const std::string& compared() const { return compared_; }
  /// Hash of the comparison, of every row's value and of the statistics, if given.
  std::uint64_t fingerprint() const { return fingerprint_; }
  const std::vector<std::size_t>& columns() const { return columns_; }
  const ComparisonKind& kind() const { return kind_; }
  /// The levels in words; the first is "missing". With a context, they are listed range by range.
  const std::vector<std::string>& levels() const { return levels_; }

  std::size_t value_count() const { return values_.size(); }
  /// Number of the row's value; kNoId if the value is missing or not of this kind. Equal values in two contexts have
  /// two numbers.
  std::uint32_t value(std::size_t row) const { return value_of_row_[row]; }
  /// [value]: number of rows that have it, in this table or the one of the statistics.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t count(std::uint32_t value) const { return counts_[value]; }
  /// Totals of that table.
  const TermTotals& totals() const { return totals_; }

  Level compare_values(std::uint32_t a, std::uint32_t b) const {
    if (a == kNoId || b == kNoId) return kMissingLevel;
    const Value &x = values_[a], &y = values_[b];
    return in_context(comparer_->compare(x.text, y.text), std::max(x.context, y.context));
  }
  Level compare(std::size_t row, std::size_t other) const { return compare_values(value(row), value(other)); }

  /// Cells of the table that are not of the kind, if it needs cells of some form: dates, numbers, places.
  const UnreadableCells& unreadable() const { return unreadable_; }

  /// Does compare_values() for all pairs of these values, faster than one by one. The values must be distinct and not
  /// kNoId. Returns nullopt if the kind has no faster way or the contexts of the values differ. Throws CancelledError
  /// or LimitError when `stop` is requested.
  std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values, const Stop& stop = {}) const;

  /// The lowest level of pairs of these values; nullopt if their contexts differ.
  std::optional<Level> lowest_level(std::span<const std::uint32_t> values) const;
  /// The pairs of these values, by their places, that have the level `least`, above the lowest, or a higher one. The
  /// values must be distinct, not kNoId and of one context. Returns nullopt if it would take too long.
  std::optional<std::vector<SparseLevels::Pair>> alike(std::span<const std::uint32_t> values, Level least,
                                                       const Stop& stop = {}) const;

 private:
  struct Value {
    std::uint32_t text;
    std::uint8_t context;
  };
  Level in_context(Level level, std::uint8_t context) const {
    return level == kMissingLevel ? level : static_cast<Level>(level + context * (kind_.levels.size() - 1));
  }
  std::vector<std::uint32_t> texts_of(std::span<const std::uint32_t> values) const;
  void count_unreadable(const ColumnExpression& expression, const NumberedValues& texts, const io::Table& table);
  void number_rows(const NumberedValues& texts, const std::vector<std::uint8_t>& contexts);
  void count_values(const NumberedValues& texts, const ValueStatistics* statistics);

  std::string text_, compared_;
  std::uint64_t fingerprint_ = 0;
  std::vector<std::size_t> columns_;
  ComparisonKind kind_;
  std::vector<std::string> levels_;
  std::vector<std::uint32_t> value_of_row_;
  std::vector<Value> values_;
  std::vector<std::uint64_t> counts_;  // [value]
  TermTotals totals_;
  UnreadableCells unreadable_;
  std::unique_ptr<ValueComparer> comparer_;
};

/// Fills `levels`, [comparison], with those of a pair of rows.
void compare_rows(std::span<const Comparison> comparisons, std::size_t row, std::size_t other,
                  std::vector<Level>& levels);

/// Number of levels of each comparison, as AgreementPatterns takes them.
std::vector<std::size_t> level_counts(std::span<const Comparison> comparisons);

/// Parses comparisons separated by commas: "name:jaro_winkler, born:date, city". With statistics, complete or reduced,
/// values are as frequent as in their table. Comparisons are prepared on up to `threads` threads (0: all cores).
std::vector<Comparison> parse_comparisons(std::string_view text, const io::Table& table,
                                          const MatchStatistics* statistics = nullptr, int threads = 1);

}  // namespace fovea::linkage
