// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/logistic_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::ep {
namespace {

constexpr std::size_t kTableGrain = 1024;  // rows of one task: whole words of the bits of labels

[[noreturn]] void refuse_cell(const io::Table& table, std::size_t row, std::size_t column, std::string_view reason,
                              std::string remedy) {
  InputLocation location = table.location(row);
  location.column = column + 1;
  const std::string_view text = table.cell(row, column);
  throw InputError(location,
                   fmt::format("{} in column '{}' {}", text.empty() ? "a missing cell" : fmt::format("'{}'", text),
                               table.columns()[column], reason),
                   std::move(remedy));
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

/// Parses "true" or "yes", "false" or "no".
std::optional<bool> truth_of(std::string_view text) {
  const std::string small = in_small_letters(text);
  if (small == "true" || small == "yes") return true;
  if (small == "false" || small == "no") return false;
  return std::nullopt;
}

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  return std::nullopt;
}

double number_cell(const io::Table& table, std::size_t row, std::size_t column) {
  constexpr double kLargest = 1e100;  // its square, times a variance, is still a number
  const std::optional<double> value = number_of(table.cell(row, column));
  if (!value)
    refuse_cell(table, row, column, "is not a finite number",
                "Correct the cell, or leave the column out by option 'ignore'; columns of texts only may stay");
  if (std::abs(*value) > kLargest)
    refuse_cell(table, row, column, "is beyond 1e100", "Give the column in larger units");
  return *value;
}

/// Kind of a column, given by its first cell that is not missing; numbers and truth values must continue as they begin.
LogisticTerm::Kind kind_of(const io::Table& table, std::size_t column) {
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view cell = table.cell(row, column);
    if (cell.empty()) continue;
    if (number_of(cell)) return LogisticTerm::Kind::kNumber;
    return truth_of(cell) ? LogisticTerm::Kind::kTruth : LogisticTerm::Kind::kText;
  }
  return LogisticTerm::Kind::kNumber;
}

std::vector<std::string> values_of(const io::Table& table, std::size_t column) {
  std::set<std::string> values;
  for (std::size_t row = 0; row < table.row_count(); ++row)
    if (!table.cell(row, column).empty()) values.emplace(table.cell(row, column));
  if (values.size() > kMostTextsOfAColumn)
    throw InputError({.file = table.name()},
                     fmt::format("column '{}' holds {} different texts; at most {} can have weights of their own",
                                 table.columns()[column], values.size(), kMostTextsOfAColumn),
                     "Leave it out by option 'ignore'");
  return {values.begin(), values.end()};
}

void add_terms(const io::Table& table, std::size_t column, std::vector<LogisticTerm>& terms) {
  const std::string& name = table.columns()[column];
  const LogisticTerm::Kind kind = kind_of(table, column);
  if (kind != LogisticTerm::Kind::kText) {
    terms.push_back({.kind = kind, .column = name});
    return;
  }
  const std::vector<std::string> values = values_of(table, column);
  for (std::size_t i = 1; i < values.size(); ++i) terms.push_back({.kind = kind, .column = name, .value = values[i]});
}

/// Value of a cell that is not missing.
double value_of(const io::Table& table, std::size_t row, std::size_t column, const LogisticTerm& term) {
  switch (term.kind) {
    case LogisticTerm::Kind::kConstant:
      return 1;
    case LogisticTerm::Kind::kNumber:
      return number_cell(table, row, column);
    case LogisticTerm::Kind::kTruth:
      if (const std::optional<bool> truth = truth_of(table.cell(row, column))) return *truth ? 1 : 0;
      refuse_cell(table, row, column, "is not a truth value",
                  "The column begins with true, false, yes or no, and must go on so");
    case LogisticTerm::Kind::kText:
      break;
  }
  return table.cell(row, column) == term.value ? 1 : 0;
}

/// [term]; any number for the constant.
std::vector<std::size_t> columns_of(const io::Table& table, const LogisticColumns& columns) {
  std::vector<std::size_t> numbers;
  for (const LogisticTerm& term : columns.terms)
    numbers.push_back(term.kind == LogisticTerm::Kind::kConstant ? 0 : table.column(term.column));
  return numbers;
}

/// Kinds of labels that some rows have.
struct LabelKinds {
  bool has_zero = false, has_two = false;
  std::string true_word = "";               ///< the last word for true
  std::optional<std::size_t> refused = {};  ///< row of the first cell that is not a label, or not with those before it

  /// Adds the label of a row; nothing more once one is refused.
  void add(std::string_view cell, std::size_t row) {
    if (cell.empty() || refused) return;
    const std::optional<double> number = number_of(cell);
    has_two |= number == 2.;
    has_zero |= number == 0.;
    const std::optional<bool> truth = number ? std::nullopt : truth_of(cell);
    const bool is_label = number ? *number == 0 || *number == 1 || *number == 2 : truth.has_value();
    if (!is_label || (has_two && has_zero)) refused = row;
    else if (truth == true) true_word = std::string(cell);
  }
};

/// The value of a two-valued target that counts as 1. Checks every label.
std::string positive_of(const io::Table& table, std::size_t column, int threads) {
  std::vector<LabelKinds> parts((table.row_count() + kTableGrain - 1) / kTableGrain);
  parallel_for(table.row_count(), kTableGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) parts[begin / kTableGrain].add(table.cell(row, column), row);
  });
  LabelKinds all;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const LabelKinds& next = parts[part];
    const bool clashes = (all.has_zero && next.has_two) || (all.has_two && next.has_zero);
    if (next.refused || clashes)  // once more, for the first row that does not go with those before it
      for (std::size_t row = part * kTableGrain; !all.refused; ++row) all.add(table.cell(row, column), row);
    if (all.refused)
      refuse_cell(table, *all.refused, column, "is not a label",
                  "The target is 0 or 1, 1 or 2, false or true, no or yes, the same two in all rows");
    all.has_zero |= next.has_zero;
    all.has_two |= next.has_two;
    if (!next.true_word.empty()) all.true_word = next.true_word;
  }
  if (all.has_two) return "2";
  return all.true_word.empty() ? "1" : all.true_word;
}

bool label_of(std::string_view cell, const std::string& positive) {
  if (const std::optional<double> number = number_of(cell)) return *number == (positive == "2" ? 2 : 1);
  return *truth_of(cell);
}

bool is_whole(const io::Table& table, std::size_t row, const LogisticColumns& columns,
              const std::vector<std::size_t>& numbers) {
  for (std::size_t t = 0; t < numbers.size(); ++t)
    if (columns.terms[t].kind != LogisticTerm::Kind::kConstant && table.cell(row, numbers[t]).empty()) return false;
  return true;
}

}  // namespace

LogisticColumns logistic_columns(const io::Table& table, const std::string& target,
                                 const LogisticColumnOptions& options, int threads) {
  const std::size_t target_column = table.column(target);
  std::vector<bool> is_used(table.column_count(), options.columns.empty());
  for (const std::string& name : options.columns) is_used[table.column(name)] = true;
  for (const std::string& name : options.ignored) is_used[table.column(name)] = false;
  is_used[target_column] = false;
  LogisticColumns columns = {.target = target, .positive = positive_of(table, target_column, threads)};
  if (options.has_intercept) columns.terms.emplace_back();
  for (std::size_t column = 0; column < table.column_count(); ++column)
    if (is_used[column]) add_terms(table, column, columns.terms);
  return columns;
}

LogisticRows logistic_rows(const io::Table& table, const LogisticColumns& columns, int threads) {
  const std::vector<std::size_t> numbers = columns_of(table, columns);
  const std::size_t target = table.column(columns.target);
  std::vector<char> is_used(table.row_count());
  parallel_for(is_used.size(), kTableGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      is_used[row] = !table.cell(row, target).empty() && is_whole(table, row, columns, numbers);
  });
  std::vector<std::size_t> used;  // [row of the data]: row of the table
  for (std::size_t row = 0; row < is_used.size(); ++row)
    if (is_used[row]) used.push_back(row);
  LogisticRows rows = {.data = {.columns = numbers.size(),
                                .values = std::vector<double>(used.size() * numbers.size()),
                                .labels = std::vector<bool>(used.size())},
                       .left_out = table.row_count() - used.size()};
  parallel_for(used.size(), kTableGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t t = 0; t < numbers.size(); ++t)
        rows.data.values[i * numbers.size() + t] = value_of(table, used[i], numbers[t], columns.terms[t]);
      rows.data.labels[i] = label_of(table.cell(used[i], target), columns.positive);
    }
  });
  if (used.empty())
    throw InputError({.file = table.name()},
                     rows.left_out == 0 ? "no rows" : fmt::format("all {} rows miss a cell", rows.left_out),
                     "Weights are learned from whole rows");
  return rows;
}

std::vector<double> logistic_values(const io::Table& table, const LogisticColumns& columns, int threads) {
  const std::vector<std::size_t> numbers = columns_of(table, columns);
  std::vector<double> values(table.row_count() * numbers.size());
  parallel_for(table.row_count(), kTableGrain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      for (std::size_t t = 0; t < numbers.size(); ++t) {
        const LogisticTerm& term = columns.terms[t];
        if (term.kind != LogisticTerm::Kind::kConstant && table.cell(row, numbers[t]).empty())
          refuse_cell(table, row, numbers[t], "cannot be used", "Fill it in, or leave out such rows");
        values[row * numbers.size() + t] = value_of(table, row, numbers[t], term);
      }
  });
  return values;
}

}  // namespace fovea::ep
