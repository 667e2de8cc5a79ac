// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/regression/logistic_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "fovea/base/error.h"

namespace fovea {
namespace {

[[noreturn]] void refuse_cell(const Table& table, std::size_t row, std::size_t column, std::string_view reason,
                              std::string remedy) {
  InputLocation location = table.location(row);
  location.column = column + 1;
  const std::string_view text = table.cell(row, column);
  throw InputError(location,
                   fmt::format("{} in column '{}' {}", text.empty() ? "nothing" : fmt::format("'{}'", text),
                               table.columns()[column], reason),
                   std::move(remedy));
}

double number_cell(const Table& table, std::size_t row, std::size_t column) {
  std::string_view text = table.cell(row, column);
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr double kLargest = 1e100;  // its square, times a variance, is still a number
  const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  if (is_number && std::abs(value) > kLargest)
    refuse_cell(table, row, column, "is beyond 1e100", "Give the column in larger units");
  if (is_number) return value;
  refuse_cell(table, row, column, "is no finite number",
              "Fill in or leave out such rows; leave out columns that hold no numbers");
}

bool label_of(const Table& table, std::size_t row, std::size_t column) {
  std::string text(table.cell(row, column));
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text == "1" || text == "true") return true;
  if (text == "0" || text == "false") return false;
  refuse_cell(table, row, column, "is no label", "The target is 0 or 1, or false or true");
}

}  // namespace

LogisticColumns logistic_columns(const Table& table, const std::string& target, bool has_intercept) {
  const std::size_t target_column = table.column(target);
  LogisticColumns columns = {.target = target};
  if (has_intercept) columns.names.push_back(kIntercept);
  for (std::size_t column = 0; column < table.column_count(); ++column)
    if (column != target_column) columns.names.push_back(table.columns()[column]);
  return columns;
}

std::vector<double> logistic_rows(const Table& table, const LogisticColumns& columns) {
  constexpr std::size_t kConstant = static_cast<std::size_t>(-1);
  std::vector<std::size_t> numbers;
  for (const std::string& name : columns.names) numbers.push_back(name == kIntercept ? kConstant : table.column(name));
  std::vector<double> values;
  values.reserve(table.row_count() * numbers.size());
  for (std::size_t row = 0; row < table.row_count(); ++row)
    for (const std::size_t column : numbers)
      values.push_back(column == kConstant ? 1 : number_cell(table, row, column));
  return values;
}

message::LogisticData logistic_data(const Table& table, const LogisticColumns& columns) {
  if (table.row_count() == 0) throw InputError({.file = table.name()}, "no rows", "Weights are learned from rows");
  message::LogisticData data = {.columns = columns.names.size(), .values = logistic_rows(table, columns), .labels = {}};
  const std::size_t target = table.column(columns.target);
  for (std::size_t row = 0; row < table.row_count(); ++row) data.labels.push_back(label_of(table, row, target));
  return data;
}

}  // namespace fovea
