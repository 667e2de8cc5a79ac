// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/read_examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/io/token_reader.h"

namespace fovea::synthesis {
namespace {

constexpr std::size_t kMostCategories = 64;
constexpr std::array kMissingNumbers = {"?", "NA", "N/A", "nan", "NaN", "null", "NULL"};

std::optional<double> finite_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_missing_number(std::string_view text) {
  return text.empty() || std::find(kMissingNumbers.begin(), kMissingNumbers.end(), text) != kMissingNumbers.end();
}

InputLocation cell_place(const io::Table& table, std::size_t row, std::size_t column) {
  InputLocation location = table.location(row);
  location.column = column + 1;
  return location;
}

/// Numbers texts as they come; `names` are known already, and grow.
class Categories {
 public:
  explicit Categories(std::vector<std::string>& names) : names_(names) {
    for (std::size_t i = 0; i < names.size(); ++i) numbers_[names[i]] = static_cast<std::int32_t>(i);
  }
  std::int32_t number(std::string_view text) {
    const auto [entry, is_new] = numbers_.try_emplace(std::string(text), static_cast<std::int32_t>(numbers_.size()));
    if (is_new) names_.emplace_back(text);
    return entry->second;
  }
  std::optional<std::int32_t> find(std::string_view text) const {
    const auto entry = numbers_.find(text);
    return entry == numbers_.end() ? std::nullopt : std::optional(entry->second);
  }

 private:
  std::vector<std::string>& names_;
  std::map<std::string, std::int32_t, std::less<>> numbers_;
};

/// A column of numbers; none if a cell is a text, or all are missing.
std::optional<RuleColumn> numeric_column(const io::Table& table, std::size_t c) {
  RuleColumn column = {.name = table.columns()[c]};
  bool has_number = false;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view cell = table.cell(row, c);
    const std::optional<double> value = finite_number(cell);
    if (!value && !is_missing_number(cell)) return std::nullopt;
    has_number |= value.has_value();
    column.may_miss |= !value;
    column.numbers.push_back(value.value_or(RuleColumn::kMissingNumber));
  }
  return has_number ? std::optional(std::move(column)) : std::nullopt;
}

/// A column of categories; none if there are too many.
std::optional<RuleColumn> category_column(const io::Table& table, std::size_t c) {
  RuleColumn column = {.name = table.columns()[c], .is_numeric = false};
  Categories categories(column.names);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const bool is_missing = table.is_missing(row, c);
    column.may_miss |= is_missing;
    column.categories.push_back(is_missing ? RuleColumn::kMissingCategory : categories.number(table.cell(row, c)));
    if (column.names.size() > kMostCategories) return std::nullopt;
  }
  return column;
}

void read_classes(const io::Table& table, std::size_t target, RuleExamples& examples) {
  Categories classes(examples.classes);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (table.is_missing(row, target))
      throw InputError(cell_place(table, row, target), "a row without a class",
                       fmt::format("Remove it, or name another column than {} (option 'target')",
                                   io::quoted_for_message(table.columns()[target])));
    examples.class_of.push_back(static_cast<std::uint32_t>(classes.number(table.cell(row, target))));
    if (examples.classes.size() > kMostCategories)
      throw InputError(cell_place(table, row, target),
                       fmt::format("column {} has more than {} classes",
                                   io::quoted_for_message(table.columns()[target]), kMostCategories),
                       "Name the column of the classes (option 'target'); numbers are not predicted");
  }
  if (examples.classes.size() < 2)
    throw InputError({.file = table.name()},
                     fmt::format("column {} has one class only, {}", io::quoted_for_message(table.columns()[target]),
                                 io::quoted_for_message(examples.classes[0])),
                     "A rule tells two classes apart, or more");
}

void read_weights(const io::Table& table, std::size_t column, RuleExamples& examples) {
  double total = 0;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::optional<double> weight = finite_number(table.cell(row, column));
    if (!weight || *weight < 0)
      throw InputError(cell_place(table, row, column),
                       fmt::format("{} is not a weight", io::quoted_for_message(table.cell(row, column))),
                       "Weights are numbers of at least 0");
    examples.weights.push_back(*weight);
    total += *weight;
  }
  if (!(total > 0)) throw InputError({.file = table.name()}, "all weights are 0", "Give some rows a weight");
}

}  // namespace

RuleExamples read_rule_examples(const io::Table& table, const RuleColumns& columns,
                                const std::function<void(const std::string&)>& note) {
  if (table.row_count() == 0 || table.column_count() == 0)
    throw InputError({.file = table.name()}, "no rows", "Rules are learned from rows with classes");
  const std::size_t target = columns.target.empty() ? table.column_count() - 1 : table.column(columns.target);
  std::vector<bool> is_used(table.column_count(), true);
  is_used[target] = false;
  for (const std::string& name : columns.ignored) is_used[table.column(name)] = false;
  RuleExamples examples = {.table = {.columns = {}, .row_count = table.row_count()}};
  if (!columns.weights.empty()) {
    is_used[table.column(columns.weights)] = false;
    read_weights(table, table.column(columns.weights), examples);
  }
  read_classes(table, target, examples);
  for (std::size_t c = 0; c < table.column_count(); ++c) {
    if (!is_used[c]) continue;
    std::optional<RuleColumn> column = numeric_column(table, c);
    if (!column) column = category_column(table, c);
    if (column) examples.table.columns.push_back(std::move(*column));
    else if (note)
      note(fmt::format("column {} has more than {} different texts and is left out",
                       io::quoted_for_message(table.columns()[c]), kMostCategories));
  }
  if (examples.table.columns.empty())
    throw InputError({.file = table.name()}, "no columns to learn from", "Give some besides the classes");
  return examples;
}

RuleTable read_rule_table(const io::Table& table, const RuleTable& like) {
  RuleTable result = {.columns = {}, .row_count = table.row_count()};
  for (const RuleColumn& known : like.columns) {
    const std::size_t c = table.column(known.name);
    RuleColumn column = {.name = known.name, .is_numeric = known.is_numeric, .names = known.names};
    std::vector<std::string> names = known.names;
    const Categories categories(names);
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      const std::string_view cell = table.cell(row, c);
      if (!known.is_numeric) {
        const auto unknown = static_cast<std::int32_t>(known.names.size());
        column.categories.push_back(cell.empty() ? RuleColumn::kMissingCategory
                                                 : categories.find(cell).value_or(unknown));
        continue;
      }
      const std::optional<double> value = finite_number(cell);
      if (!value && !is_missing_number(cell))
        throw InputError(cell_place(table, row, c), fmt::format("{} is not a number", io::quoted_for_message(cell)),
                         fmt::format("Column {} holds numbers in the rows that the rules were learned from",
                                     io::quoted_for_message(known.name)));
      column.numbers.push_back(value.value_or(RuleColumn::kMissingNumber));
    }
    result.columns.push_back(std::move(column));
  }
  return result;
}

}  // namespace fovea::synthesis
