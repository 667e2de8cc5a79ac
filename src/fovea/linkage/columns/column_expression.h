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

/// What blocking rules and comparisons can make of a text: a part of it, or how it sounds. "" stands for none.
struct TextFunction {
  const char* name;
  const char* description;   ///< one line of help
  bool takes_count = false;  ///< function(text, count), else function(text)
  std::string (*apply)(std::string_view text, std::size_t count);
};

/// All of them.
std::span<const TextFunction> text_functions();

/// The cells of a row that are not empty, with a blank between them.
std::string joined_cells(const io::Table& table, std::size_t row, std::span<const std::size_t> columns);

/// A text of each row: a column's cell, several ones joined, or what functions make of it.
///
///   name                  the cell
///   given+surname         the cells that are not empty, with a blank between them
///   soundex(surname)      any TextFunction
///   prefix(born, 4)       with a number, if it takes one
///   initial(given(name))  a function of a function's value, or of joined cells
///   "City, State"         a column whose name holds signs; not needed where the whole text is a column's name
class ColumnExpression {
 public:
  /// Throws UsageError for what is no expression, InputError for a column that the table does not have.
  ColumnExpression(std::string_view text, const io::Table& table);

  const std::string& text() const { return text_; }
  /// That it looks at, in the order of their names.
  const std::vector<std::size_t>& columns() const { return columns_; }

  /// Of what its cells hold; "" if that is missing.
  std::string apply(std::string_view joined_cells) const;
  std::string value(const io::Table& table, std::size_t row) const { return apply(joined_cells(table, row, columns_)); }

 private:
  void parse(std::string_view text, const io::Table& table);

  std::string text_;
  std::vector<std::size_t> columns_;
  std::vector<std::pair<const TextFunction*, std::size_t>> calls_;  // with their counts, the innermost first
};

/// The distinct values of an expression, numbered in the order of their first rows.
struct NumberedValues {
  std::vector<std::uint32_t> of_row;  ///< kNoId where it is missing
  Dictionary values;
};

/// Each distinct cell is looked at once.
NumberedValues number_values(const ColumnExpression& expression, const io::Table& table);

}  // namespace fovea::linkage
