// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/columns/column_expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/base/utf8.h"
#include "fovea/linkage/similarity/names.h"
#include "fovea/linkage/similarity/normalise.h"
#include "fovea/linkage/similarity/phonetic.h"

namespace fovea::linkage {
namespace {

std::string beginning_of(std::string_view text, std::size_t count) {
  const std::string letters = normalised(text);
  return letters.substr(0, bytes_of_characters(letters, count));
}

std::string prefix_of(std::string_view text, const TextArgument& argument) {
  return beginning_of(text, argument.count);
}

std::string initial_of(std::string_view text, const TextArgument&) { return beginning_of(text, 1); }

std::string year_of(std::string_view text, const TextArgument& argument) {
  const std::optional<Date> date = argument.dates.read(text);
  return date ? std::to_string(static_cast<int>(date->year)) : "";
}

std::string month_of(std::string_view text, const TextArgument& argument) {
  const std::optional<Date> date = argument.dates.read(text);
  return date && date->month.ok() ? std::to_string(static_cast<unsigned>(date->month)) : "";
}

std::string surname_of(std::string_view text, const TextArgument&) { return std::string(split_name(text).surname); }
std::string given_of(std::string_view text, const TextArgument&) { return std::string(split_name(text).given); }

std::string family_of(std::string_view text, const TextArgument&) { return family_name(text); }

std::string first_of(std::string_view text, const TextArgument&) {
  const std::string words = normalised(text);
  return words.substr(0, words.find(' '));
}

std::string rest_of(std::string_view text, const TextArgument&) {
  const std::string words = normalised(text);
  const std::size_t blank = words.find(' ');
  return blank == words.npos ? "" : words.substr(blank + 1);
}

std::string full_of(std::string_view text, const TextArgument&) {
  return count_characters(normalised(text)) > 1 ? std::string(text) : "";
}

std::string sound_of(std::string_view text, const TextArgument&) { return soundex(text); }
std::string consonants_of(std::string_view text, const TextArgument&) { return metaphone(text); }
std::string spelling_of(std::string_view text, const TextArgument&) { return transliterated(text); }

using enum TextFunction::Takes;

constexpr std::array kFunctions = {
    TextFunction{"soundex", "sound in English, as a letter and three digits", kText, sound_of},
    TextFunction{"metaphone", "sound in English, as consonants", kText, consonants_of},
    TextFunction{"initial", "first letter", kText, initial_of},
    TextFunction{"prefix", "first letters: prefix(column, 3) takes three", kCount, prefix_of},
    TextFunction{"year", "year of a date", kDateFormat, year_of},
    TextFunction{"month", "month of a date", kDateFormat, month_of},
    TextFunction{"surname", "surname: before the comma, else the last word of a name", kText, surname_of},
    TextFunction{"given", "given names: after the comma, else all words except the last", kText, given_of},
    TextFunction{"family", "last word of a surname, not counting Jr, II and the like", kText, family_of},
    TextFunction{"first", "first word", kText, first_of},
    TextFunction{"rest", "all words after the first", kText, rest_of},
    TextFunction{"full", "the text, if it is longer than an initial", kText, full_of},
    TextFunction{"transliterated", "one spelling for Müller, Mueller and Muller", kText, spelling_of},
};

}  // namespace

std::span<const TextFunction> text_functions() { return kFunctions; }

namespace {

/// Returns a column name that needs quotes, quoted: one that holds `part`, if there is one; "" if no name needs them.
std::string quoted_column(const io::Table& table, std::string_view part) {
  std::string first;
  for (const std::string& column : table.columns()) {
    const std::string quoted = quoted_if_needed(column);
    if (quoted == column) continue;
    if (column.find(part) != column.npos) return quoted;
    if (first.empty()) first = quoted;
  }
  return first;
}

const TextFunction& function_called(std::string_view name, std::string_view expression, const io::Table& table) {
  const auto functions = text_functions();
  const auto at = std::ranges::find_if(functions, [&](const TextFunction& known) { return known.name == name; });
  if (at != functions.end()) return *at;
  std::vector<std::string> names;
  for (const TextFunction& known : functions) names.emplace_back(known.name);
  const std::string quoted = quoted_column(table, fmt::format("{}(", name));
  const bool is_of_a_column = quoted.find(name) != quoted.npos;
  throw UsageError(fmt::format("'{}': no function is called '{}'.{} There are {}{}", expression, name,
                               suggestion(name, names), fmt::join(names, ", "),
                               is_of_a_column ? "; put the name of a column in double quotes, like " + quoted : ""));
}

std::size_t column_called(std::string_view text, std::string_view expression, const io::Table& table) {
  if (text.empty()) throw UsageError(fmt::format("'{}': a column is missing", expression));
  const std::optional<std::string> name = unquoted(text);
  if (!name) throw UsageError(fmt::format("'{}': a double quote is missing around a column's name", expression));
  const std::string quoted = quoted_column(table, *name);
  if (table.find_column(*name) || quoted.empty()) return table.column(*name);
  throw InputError({.file = table.name()},
                   fmt::format("no column is called '{}'.{}", *name, suggestion(*name, table.columns())),
                   fmt::format("The columns are {}; put names with special characters in double quotes, like {}",
                               fmt::join(table.columns(), ", "), quoted));
}

std::size_t parse_count(std::string_view text, std::string_view expression) {
  constexpr std::size_t kMost = 1000;
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > kMost)
    throw UsageError(fmt::format("'{}': '{}' must be a number of letters, 1 to {}", expression, text, kMost));
  return count;
}

/// Parses the second of a function's arguments, if there is one.
TextArgument parse_argument(const TextFunction& function, std::span<const std::string_view> arguments,
                            std::string_view expression) {
  const auto takes = [&](std::size_t least, std::size_t most, std::string_view what) {
    if (arguments.size() < least || arguments.size() > most)
      throw UsageError(fmt::format("'{}': {} takes {}", expression, function.name, what));
  };
  switch (function.takes) {
    case TextFunction::Takes::kText:
      takes(1, 1, "a column");
      return {};
    case TextFunction::Takes::kCount:
      takes(2, 2, "a column and a number of letters");
      return {.count = parse_count(arguments[1], expression)};
    case TextFunction::Takes::kDateFormat:
      takes(1, 2, "a column and perhaps a date format");
      if (arguments.size() == 1) return {};
      return {.dates = DateFormat(unquoted(arguments[1]).value_or(std::string(arguments[1])))};
  }
  return {};
}

}  // namespace

ColumnExpression::ColumnExpression(std::string_view text, const io::Table& table) : text_(trimmed(text)) {
  parse(text_, table);
  std::ranges::reverse(calls_);
}

void ColumnExpression::parse(std::string_view text, const io::Table& table) {
  if (const std::optional<std::size_t> whole = table.find_column(text)) {
    columns_.push_back(*whole);
    return;
  }
  const std::size_t open = find_in_expression(text, '(');
  if (open == text.npos) {
    for (const std::string_view name : split_expression(text, '+'))
      columns_.push_back(column_called(name, text_, table));
    return;
  }
  if (split_expression(text, '+').size() > 1)
    throw UsageError(fmt::format("'{}': only columns can be joined, and then given to a function", text_));
  if (text.back() != ')') throw UsageError(fmt::format("'{}': a ')' is missing", text_));
  const std::string_view name = trimmed(text.substr(0, open));
  const TextFunction& function = function_called(name, text_, table);
  const auto arguments = split_expression(text.substr(open + 1, text.size() - open - 2), ',');
  calls_.emplace_back(&function, parse_argument(function, arguments, text_));
  parse(arguments[0], table);
}

std::string joined_cells(const io::Table& table, std::size_t row, std::span<const std::size_t> columns) {
  std::string joined;
  for (const std::size_t column : columns) {
    const std::string_view cell = table.cell(row, column);
    if (!joined.empty() && !cell.empty()) joined += ' ';
    joined += cell;
  }
  return joined;
}

std::string ColumnExpression::apply(std::string_view joined_cells) const {
  std::string value(joined_cells);
  for (const auto& [function, argument] : calls_)
    if (!value.empty()) value = function->apply(value, argument);
  return value;
}

const DateFormat* ColumnExpression::dates() const {
  const bool has_dates = !calls_.empty() && calls_.front().first->takes == TextFunction::Takes::kDateFormat;
  return has_dates ? &calls_.front().second.dates : nullptr;
}

UnreadableCells count_unreadable_dates(const ColumnExpression& expression, const io::Table& table) {
  FOVEA_CHECK(expression.dates() != nullptr);
  UnreadableCells cells;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string cell = joined_cells(table, row, expression.columns());
    if (!cell.empty()) cells.add(row, expression.dates()->read(cell).has_value());
  }
  return cells;
}

NumberedValues number_values(const ColumnExpression& expression, const io::Table& table) {
  NumberedValues numbered;
  Dictionary cells;
  std::vector<std::uint32_t> of_cell;
  numbered.of_row.reserve(table.row_count());
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string joined = joined_cells(table, row, expression.columns());
    const std::uint32_t id = cells.add(joined);
    if (id == of_cell.size()) {
      const std::string value = expression.apply(joined);
      of_cell.push_back(value.empty() ? kNoId : numbered.values.add(value));
    }
    numbered.of_row.push_back(of_cell[id]);
  }
  return numbered;
}

}  // namespace fovea::linkage
