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
#include "fovea/linkage/similarity/date_format.h"

namespace fovea::linkage {

/// Second argument of a TextFunction.
struct TextArgument {
  std::size_t count = 0;
  DateFormat dates = {};
};

/// A function that blocking rules and comparisons can apply to a text. It returns a part of the text or a code for its
/// sound; "" if there is nothing to return.
struct TextFunction {
  enum class Takes : unsigned char {
    kText,        ///< function(text)
    kCount,       ///< function(text, count)
    kDateFormat,  ///< function(text) or function(text, format), where the text is a date
  };
  const char* name;
  const char* description;  ///< one line of help
  Takes takes = Takes::kText;
  std::string (*apply)(std::string_view text, const TextArgument& argument);
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
///   year(born, mdy)       a TextFunction of dates, which may be given their DateFormat
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

  /// The DateFormat of its cells if a function reads them as dates; otherwise null.
  const DateFormat* dates() const;

 private:
  void parse(std::string_view text, const io::Table& table);

  std::string text_;
  std::vector<std::size_t> columns_;
  std::vector<std::pair<const TextFunction*, TextArgument>> calls_;  // the innermost first
};

/// Count of the cells that are not what their use needs, such as dates.
struct UnreadableCells {
  std::size_t filled = 0;  ///< rows whose cells are not empty
  std::size_t count = 0;   ///< of these, rows with unreadable ones
  std::size_t first_row = 0;

  void add(std::size_t row, bool is_readable) {
    ++filled;
    if (!is_readable && count++ == 0) first_row = row;
  }
};

/// The distinct values of an expression, numbered in the order of their first rows.
struct NumberedValues {
  std::vector<std::uint32_t> of_row;  ///< number of its value, kNoId where that is missing
  Dictionary values;
};

/// Counts the cells that an expression with dates() cannot read.
UnreadableCells count_unreadable_dates(const ColumnExpression& expression, const io::Table& table);

/// Numbers the values of all rows. Each distinct cell is evaluated once.
NumberedValues number_values(const ColumnExpression& expression, const io::Table& table);

}  // namespace fovea::linkage
