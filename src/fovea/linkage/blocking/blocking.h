// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/io/table/table.h"
#include "fovea/linkage/columns/column_expression.h"

namespace fovea::linkage {

/// Blocking rule: only records whose keys agree in every part of a rule are compared with each other.
///
///   surname                     the column's text, normalised
///   initial(given(name))        any ColumnExpression
///   soundex(surname)+year(born) parts that must all agree
///   any(word, title)            one word in common is enough: a record has a key for each of its words
///   any(element, authors, 500)  the same for elements of a list; those that over 500 records share do not count
///
/// A record has no key if a part is missing, or if a part needs a date and the cell does not hold one. A rule has one
/// part with any() at most.
class BlockingRule {
 public:
  /// Throws UsageError if `text` is not a rule, InputError if it names a column that the table does not have.
  BlockingRule(std::string_view text, const io::Table& table);

  const std::string& text() const { return text_; }
  /// Columns that a key depends on: pairs of one block agree in them more often than other pairs do.
  const std::vector<std::size_t>& columns() const { return columns_; }
  /// The expressions of all parts.
  std::vector<const ColumnExpression*> expressions() const;

  /// True if records may have several keys.
  bool has_any() const { return any_.has_value(); }
  /// Name of what records have in common by any(): "words" or "elements".
  std::string_view any_of() const;
  /// Most records that a key of any() may have.
  std::size_t most_of_key() const { return any_->most; }

  /// Key of a row; "" if it has none. Without any().
  std::string key(const io::Table& table, std::size_t row) const;
  /// Returns for each row the number of its key, in the order in which keys first occur; kNoId if it has none. Each
  /// distinct cell is evaluated once. What any() says is left out.
  std::vector<std::uint32_t> key_numbers(const io::Table& table) const;

  /// Keys of rows where they have several.
  struct Keys {
    std::vector<std::size_t> begin = {0};    ///< [row + 1] of its keys in `numbers`
    std::vector<std::uint32_t> numbers;      ///< of keys, in the order in which they first occur
    std::vector<std::uint32_t> text_of_key;  ///< [key] number of its word or element
    Dictionary texts;
  };
  /// The keys of any(), each once for a row.
  Keys keys(const io::Table& table) const;

 private:
  struct Any {
    bool is_word = true;
    ColumnExpression expression;
    std::size_t most = 100;
  };
  void add_any(std::string_view part, const io::Table& table);
  void add_columns(const ColumnExpression& expression);

  std::string text_;
  std::optional<Any> any_;
  std::vector<ColumnExpression> parts_;
  std::vector<std::size_t> columns_;
};

/// Parses rules separated by commas: two records are compared if at least one rule gives them the same key.
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

/// Groups rows i with equal numbers[i], in the order of the numbers. Rows with kNoId are left out.
Blocks group_by_number(std::span<const std::uint32_t> numbers);

/// Groups rows with equal keys. Blocks are in the order of their first rows, the rows of a block in table order. For
/// rules without any().
Blocks group_rows(const io::Table& table, const BlockingRule& rule);

}  // namespace fovea::linkage
