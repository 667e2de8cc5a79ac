// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/examples/labelled_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

constexpr std::int64_t kMostConstant = std::int64_t{1} << 61;  // that an AtomSpace takes
constexpr std::size_t kMostMinedRows = 2000, kMostPartners = 16, kMostValues = 1 << 20;

InputLocation cell_location(const io::Table& table, std::size_t row, std::size_t column) {
  InputLocation location = table.location(row);
  location.column = column + 1;
  return location;
}

std::int64_t integer_cell(const io::Table& table, std::size_t row, std::size_t column) {
  std::string_view text = table.cell(row, column);
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  const std::string shown = text.empty() ? "nothing" : fmt::format("'{}'", text);
  throw InputError(cell_location(table, row, column),
                   error == std::errc::result_out_of_range ? fmt::format("{} does not fit into 64 bits", shown)
                                                           : fmt::format("{} is not an integer", shown),
                   "All columns but the last, the label, hold integers");
}

bool label_cell(const io::Table& table, std::size_t row) {
  const std::size_t column = table.column_count() - 1;
  std::string text(table.cell(row, column));
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  throw InputError(cell_location(table, row, column), fmt::format("'{}' is not a label", table.cell(row, column)),
                   fmt::format("The last column ('{}') holds true or false, or 1 or 0", table.columns()[column]));
}

/// Returns `most` of the values, including the first and the last.
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& values, std::size_t most) {
  if (values.size() <= most) return values;
  std::vector<std::int64_t> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(values[i * (values.size() - 1) / (most - 1)]);
  return kept;
}

/// Adds x, -x and +-x +-y of a row, where they can be constants; y is one of the first variables.
void add_values(std::span<const std::int64_t> row, std::vector<std::int64_t>& values) {
  for (std::size_t v = 0; v < row.size(); ++v) {
    const std::int64_t x = row[v];
    if (x < -kMostConstant || x > kMostConstant) continue;
    values.insert(values.end(), {x, -x});
    for (std::size_t w = 0; w < std::min(v, kMostPartners); ++w) {
      const std::int64_t y = row[w];
      if (y < -kMostConstant || y > kMostConstant) continue;
      for (const std::int64_t sum : {x + y, x - y})
        if (-kMostConstant <= sum && sum <= kMostConstant) values.insert(values.end(), {sum, -sum});
    }
  }
}

void sort_each_once(std::vector<std::int64_t>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

void LabelledRows::add(std::span<const std::int64_t> values, bool label) {
  if (label) examples.add_good(values);
  else examples.add_bad(values);
  if (examples.size() > rows.size()) rows.push_back(row_count);
  ++row_count;
}

LabelledRows labelled_rows(const io::Table& table) {
  if (table.column_count() < 2)
    throw InputError({.file = table.name()}, "one column only", "Integers come first, the label in the last column");
  if (table.row_count() == 0)
    throw InputError({.file = table.name()}, "no rows", "A formula is found from rows with labels");
  const std::size_t variables = table.column_count() - 1;
  LabelledRows labelled({table.columns().begin(), table.columns().end() - 1});
  ExampleSet::Row values(variables);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    for (std::size_t v = 0; v < variables; ++v) values[v] = integer_cell(table, row, v);
    labelled.add(values, label_cell(table, row));
  }
  return labelled;
}

std::vector<std::int64_t> mined_constants(const ExampleSet& examples, std::size_t most) {
  std::vector<std::int64_t> values;
  const std::size_t step = 1 + examples.size() / kMostMinedRows;
  for (std::size_t example = 0; example < examples.size(); example += step) {
    add_values(examples.row(example), values);
    if (values.size() > kMostValues) sort_each_once(values);
  }
  sort_each_once(values);
  values = thinned(values, std::max<std::size_t>(most, 5) - 3);
  values.insert(values.end(), {-1, 0, 1});
  sort_each_once(values);
  return values;
}

}  // namespace fovea::synthesis
