// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// A function that blocking rules and comparisons can apply to a text. It returns a part of the text or a code for its
/// sound; "" if there is nothing to return.
struct TextFunction {
  const char* name;
  const char* description;   ///< one line of help
  bool takes_count = false;  ///< function(text, count), else function(text)
  std::string (*apply)(std::string_view text, std::size_t count);
};

/// All text functions.
std::span<const TextFunction> text_functions();

/// Joins the cells of a row that are not empty, with blanks between them.
std::string joined_cells(const io::Table& table, std::size_t row, std::span<const std::size_t> columns);

/// A text computed from each row: the cell of a column, several cells joined, or the result of functions of these.
///
///   name                  the cell
///   given+surname         the cells that are not empty, with a blank between them
///   soundex(surname)      any TextFunction
///   prefix(born, 4)       a TextFunction that also takes a number
///   initial(given(name))  a function of a function's value, or of joined cells
///   "City, State"         a column name with special characters; no quotes needed if the text is just a name
class ColumnExpression {
 public:
  /// Throws UsageError if `text` is not an expression, InputError if it names a column that the table does not have.
  ColumnExpression(std::string_view text, const io::Table& table);

  const std::string& text() const { return text_; }
  /// Columns that it reads, in the order in which they are named.
  const std::vector<std::size_t>& columns() const { return columns_; }

  /// Value for these cells, joined as by joined_cells(); "" if it is missing.
  std::string apply(std::string_view joined_cells) const;
  std::string value(const io::Table& table, std::size_t row) const { return apply(joined_cells(table, row, columns_)); }

 private:
  void parse(std::string_view text, const io::Table& table);

  std::string text_;
  std::vector<std::size_t> columns_;
  std::vector<std::pair<const TextFunction*, std::size_t>> calls_;  // functions and counts, the innermost first
};

/// The distinct values of an expression, numbered in the order of their first rows.
struct NumberedValues {
  std::vector<std::uint32_t> of_row;  ///< number of its value, kNoId where that is missing
  Dictionary values;
};

/// Numbers the values of all rows. Each distinct cell is evaluated once.
NumberedValues number_values(const ColumnExpression& expression, const io::Table& table);

}  // namespace fovea::linkage
