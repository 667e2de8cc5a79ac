// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/row_context.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/linkage/blocking/blocking.h"
#include "fovea/linkage/columns/column_expression.h"

namespace fovea::linkage {
namespace {

constexpr std::array kRangeBounds = {1.1, 2.0, 4.0, 10.0, 50.0, 250.0};
constexpr std::array kRangeNames = {"1", "below 2", "2 to 4", "4 to 10", "10 to 50", "50 to 250", "250 or more"};

std::uint8_t range_of(double number) {
  // A number computed from logarithms must not fall below its bound through rounding.
  return static_cast<std::uint8_t>(
      std::ranges::count_if(kRangeBounds, [&](double bound) { return number >= bound * (1 - 1e-9); }));
}

using Counts = tsl::robin_map<std::uint32_t, double>;

double distinct(const Counts& counts) { return static_cast<double>(counts.size()); }

double variety(const Counts& counts) {
  double total = 0, sum = 0;
  for (const auto& [value, count] : counts) {
    total += count;
    sum += count * std::log(count);
  }
  return total > 0 ? total * std::exp(-sum / total) : 0;
}

std::vector<std::uint8_t> sizes(const BlockingRule& key, const io::Table& table) {
  const Blocks blocks = group_rows(table, key);
  std::vector<std::uint8_t> contexts(table.row_count(), range_of(1));
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (const std::uint32_t row : blocks[block]) contexts[row] = range_of(static_cast<double>(blocks[block].size()));
  return contexts;
}

template <class Number>
std::vector<std::uint8_t> value_numbers(Number number, std::string_view column, const BlockingRule& key,
                                        const io::Table& table) {
  const NumberedValues values = number_values(ColumnExpression(column, table), table);
  const Blocks blocks = group_rows(table, key);
  std::vector<std::uint8_t> contexts(table.row_count(), 0);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    Counts counts;
    for (const std::uint32_t row : blocks[block])
      if (values.of_row[row] != kNoId) ++counts[values.of_row[row]];
    const std::uint8_t context = range_of(number(counts));
    for (const std::uint32_t row : blocks[block]) contexts[row] = context;
  }
  return contexts;
}

}  // namespace

std::vector<std::uint8_t> row_contexts(std::string_view text, const io::Table& table) {
  const std::string_view call = trimmed(text);
  const std::size_t open = call.find('(');
  const std::string_view name = trimmed(call.substr(0, open));
  if (open != call.npos && call.back() == ')') {
    const auto arguments = split_expression(call.substr(open + 1, call.size() - open - 2), ',');
    if (name == "size" && arguments.size() == 1) return sizes(BlockingRule(arguments[0], table), table);
    if (name == "distinct" && arguments.size() == 2)
      return value_numbers(distinct, arguments[0], BlockingRule(arguments[1], table), table);
    if (name == "variety" && arguments.size() == 2)
      return value_numbers(variety, arguments[0], BlockingRule(arguments[1], table), table);
  }
  throw UsageError(
      fmt::format("'{}' is not a context; write size(key), distinct(column, key) or variety(column, key)", call));
}

std::span<const char* const> context_ranges() {
  static_assert(kRangeNames.size() == kRangeBounds.size() + 1);
  return kRangeNames;
}

}  // namespace fovea::linkage
