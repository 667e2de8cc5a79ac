// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/unreadable_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/base/utf8.h"
#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/similarity/date_format.h"

namespace fovea::linkage {
namespace {

/// Cells of a table that a comparison or a part of a rule reads.
struct ReadCells {
  std::string name;       ///< of the comparison or part
  std::string cells_are;  ///< "dates"
  std::vector<std::size_t> columns;
  UnreadableCells unreadable;
};

/// The order of day, month and year that reads most cells; "" if several do, or none reads a tenth of them.
std::string best_order(const ReadCells& cells, const io::Table& table) {
  constexpr std::size_t kMostRows = 10000;
  std::array<std::size_t, 3> counts{};
  const auto orders = all_words<DateOrder>();
  const std::size_t begin = cells.unreadable.first_row, end = std::min(table.row_count(), begin + kMostRows);
  for (std::size_t order = 0; order < counts.size(); ++order) {
    const DateFormat format(orders[order]);
    for (std::size_t row = begin; row < end; ++row)
      counts[order] += format.read(joined_cells(table, row, cells.columns)).has_value();
  }
  const auto best = std::ranges::max_element(counts);
  const bool is_only = std::ranges::count(counts, *best) == 1 && 10 * *best > end - begin;
  return is_only ? std::string(orders[best - counts.begin()]) : "";
}

std::string remedy(const ReadCells& cells, const io::Table& table) {
  constexpr std::string_view kMissing = "if they stand for missing values, name them by option 'missing'";
  if (cells.cells_are != "dates") return fmt::format("Correct or empty such cells; {}", kMissing);
  const std::string order = best_order(cells, table);
  if (!order.empty())
    return fmt::format("Give option 'date-format {}' if dates are written in that order; {}", order, kMissing);
  return fmt::format(
      "Say how dates are written by option 'date-format': dmy, mdy, ymd or a pattern such as '%d.%m.%y'; {}", kMissing);
}

std::string problem(const ReadCells& cells, const io::Table& table) {
  std::string cell = joined_cells(table, cells.unreadable.first_row, cells.columns);
  constexpr std::size_t kMostShown = 60;  // characters
  if (count_characters(cell) > kMostShown) cell = cell.substr(0, bytes_of_characters(cell, kMostShown)) + "...";
  return fmt::format("'{}': {} of {} cells are not {}, the first '{}'", cells.name, cells.unreadable.count,
                     cells.unreadable.filled, cells.cells_are, cell);
}

/// A warning, or "" if all cells can be read.
std::string check(const ReadCells& cells, const io::Table& table) {
  const UnreadableCells& unreadable = cells.unreadable;
  if (unreadable.count == 0) return "";
  const InputLocation at = table.location(unreadable.first_row);
  if (2 * unreadable.count > unreadable.filled) throw InputError(at, problem(cells, table), remedy(cells, table));
  return InputError(at, problem(cells, table) + "; they count as missing", remedy(cells, table)).what();
}

/// The parts of a rule that read dates.
std::vector<ReadCells> dates_of(const BlockingRule& rule, const io::Table& table) {
  std::vector<ReadCells> dates;
  for (const ColumnExpression* expression : rule.expressions())
    if (expression->dates() != nullptr)
      dates.push_back({expression->text(), "dates", expression->columns(), count_unreadable_dates(*expression, table)});
  return dates;
}

}  // namespace

std::vector<std::string> check_readable(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                                        const io::Table& table) {
  std::vector<std::string> warnings;
  std::set<std::vector<std::size_t>> warned_of;  // columns of dates
  for (const Comparison& comparison : comparisons) {
    const bool has_dates = comparison.kind().cells_are.empty();  // it compares a function of them, or no such cells
    const ReadCells cells = {comparison.text(), has_dates ? "dates" : comparison.kind().cells_are, comparison.columns(),
                             comparison.unreadable()};
    if (std::string warning = check(cells, table); !warning.empty()) warnings.push_back(std::move(warning));
    if (cells.cells_are == "dates") warned_of.insert(cells.columns);
  }
  for (const BlockingRule& rule : rules)
    for (const ReadCells& cells : dates_of(rule, table))
      if (warned_of.insert(cells.columns).second)
        if (std::string warning = check(cells, table); !warning.empty()) warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace fovea::linkage
