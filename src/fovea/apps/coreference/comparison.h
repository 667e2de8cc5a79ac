// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/apps/coreference/value_comparer.h"
#include "fovea/feature/dictionary.h"
#include "fovea/io/table/table.h"

namespace fovea {

/// How two records agree in one column: the column's distinct values, and a ValueComparer over them.
class Comparison {
 public:
  /// `text`: "column:kind", or "column" for exact. Throws UsageError for a kind that does not exist, InputError for a
  /// column that the table does not have. The table must stay as it is.
  Comparison(std::string_view text, const Table& table);

  const std::string& text() const { return text_; }
  std::size_t column() const { return column_; }
  const ComparisonKind& kind() const { return *kind_; }

  std::size_t value_count() const { return counts_.size(); }
  /// The number of the row's value, or kNoId if it is missing.
  std::uint32_t value(std::size_t row) const { return values_[row]; }
  /// [value]: rows that have it.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  /// Rows that have the value.
  std::uint32_t count(std::uint32_t value) const { return counts_[value]; }

  Level compare_values(std::uint32_t a, std::uint32_t b) const {
    return a == kNoId || b == kNoId ? kMissingLevel : comparer_->compare(a, b);
  }
  Level compare(std::size_t row, std::size_t other) const { return compare_values(values_[row], values_[other]); }

 private:
  std::string text_;
  std::size_t column_ = 0;
  const ComparisonKind* kind_;
  std::vector<std::uint32_t> values_;  // [row]
  std::vector<std::uint32_t> counts_;  // [value]
  std::unique_ptr<ValueComparer> comparer_;
};

/// Comparisons separated by commas: "name:jaro_winkler, born:date, city".
std::vector<Comparison> parse_comparisons(std::string_view text, const Table& table);

}  // namespace fovea
