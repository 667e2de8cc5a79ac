// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/columns/column_expression.h"

namespace fovea::linkage {

/// Which records are compared at all: those whose keys agree in every part of a rule.
///
///   surname                     the column's text, normalised
///   initial(given(name))        any ColumnExpression
///   soundex(surname)+year(born) parts that must all agree
///
/// A record of which a part is missing, or is no date, has no key.
class BlockingRule {
 public:
  /// Throws UsageError for what is no rule, InputError for a column that the table does not have.
  BlockingRule(std::string_view text, const io::Table& table);

  const std::string& text() const { return text_; }
  /// Whose values a key tells something of: pairs of a block agree in them more often than others do.
  const std::vector<std::size_t>& columns() const { return columns_; }
  /// "" for none.
  std::string key(const io::Table& table, std::size_t row) const;
  /// [row]: the number of its key, in the order of their first rows; kNoId for none. Distinct cells are looked at once.
  std::vector<std::uint32_t> key_numbers(const io::Table& table) const;

 private:
  std::string text_;
  std::vector<ColumnExpression> parts_;
  std::vector<std::size_t> columns_;
};

/// Rules separated by commas: records are compared if one of them brings them together.
std::vector<BlockingRule> parse_blocking_rules(std::string_view text, const io::Table& table);

/// Groups of at least two rows, laid end to end.
struct Blocks {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> begin = {0};  ///< [block + 1]

  std::size_t size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t block) const {
    return std::span(rows).subspan(begin[block], begin[block + 1] - begin[block]);
  }
};

/// Rows i with equal numbers[i], in the order of the numbers; those of kNoId are left out.
Blocks group_by_number(std::span<const std::uint32_t> numbers);

/// Rows with equal keys. Blocks come in the order of their first rows, rows in that of the table.
Blocks group_rows(const io::Table& table, const BlockingRule& rule);

}  // namespace fovea::linkage
