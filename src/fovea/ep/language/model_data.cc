// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/model_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "fovea/base/error.h"

namespace fovea::ep {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse(const io::Table& table, std::size_t row, std::size_t column, std::string_view problem,
                         std::string_view remedy) {
  InputLocation location = table.location(row);
  location.column = column + 1;
  throw InputError(location,
                   fmt::format("'{}' in column '{}' {}", table.cell(row, column), table.columns()[column], problem),
                   remedy);
}

double cell_of(const io::Table& table, std::size_t row, std::size_t column) {
  if (table.is_missing(row, column)) return kMissing;
  const std::optional<double> value = number_of(table.cell(row, column));
  if (!value)
    refuse(
        table, row, column, "is not a finite number",
        "Correct the cell; a column of texts can name members of a plate: group ~ plate(column), then effect[column]");
  return *value;
}

/// [member as text] its number.
std::unordered_map<std::string_view, std::uint32_t> numbers_by_member(const Plate& plate) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < plate.size(); ++i) numbers.emplace(plate.members[i], i);
  return numbers;
}

}  // namespace

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  if (text == "true" || text == "TRUE" || text == "True") return 1;
  if (text == "false" || text == "FALSE" || text == "False") return 0;
  return std::nullopt;
}

std::map<std::string, std::vector<std::string>> members_of_columns(const std::vector<Plate>& plates) {
  std::map<std::string, std::vector<std::string>> members;
  for (const Plate& plate : plates)
    if (!plate.column.empty()) members[plate.name] = plate.members;
  return members;
}

void sort_members(std::vector<std::string>& members) {
  const bool are_numbers = std::ranges::all_of(members, [](const std::string& m) { return number_of(m).has_value(); });
  std::ranges::sort(members, [&](const std::string& a, const std::string& b) {
    if (are_numbers && *number_of(a) != *number_of(b)) return *number_of(a) < *number_of(b);
    return a < b;
  });
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

std::vector<double> numbers_of(const io::Table& table, const std::string& column, const Plate& plate) {
  const std::size_t place = table.column(column);
  std::vector<double> numbers(plate.size(), kMissing);
  if (plate.is_rows) {
    for (std::size_t row = 0; row < numbers.size(); ++row) numbers[row] = cell_of(table, row, place);
    return numbers;
  }
  if (plate.column.empty())
    throw InputError(
        {.file = table.name()},
        fmt::format("column '{}' has a number for each row, not for each member of '{}'", column, plate.name),
        "Make the plate from a column: name ~ plate(column)");
  const std::vector<std::uint32_t> members = members_of(table, plate.column, plate);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const double value = cell_of(table, row, place);
    double& known = numbers[members[row]];
    if (std::isnan(value)) continue;
    if (!std::isnan(known) && known != value)
      refuse(table, row, place,
             fmt::format("differs from that of another row with {} '{}', which is {}", plate.column,
                         plate.members[members[row]], known),
             "A number of a plate must be the same in all of its rows");
    known = value;
  }
  return numbers;
}

std::vector<std::optional<std::uint32_t>> known_members_of(const io::Table& table, const std::string& column,
                                                           const Plate& plate) {
  const std::size_t place = table.column(column);
  const auto numbers = numbers_by_member(plate);
  std::vector<std::optional<std::uint32_t>> members;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto found = numbers.find(table.cell(row, place));
    if (found != numbers.end()) members.emplace_back(found->second);
    else if (table.is_missing(row, place)) members.emplace_back();
    else
      refuse(table, row, place, fmt::format("is not a member of the plate '{}'", plate.name),
             "Make the plate from this column, too: name ~ plate(column, other column)");
  }
  return members;
}

std::vector<std::uint32_t> members_of(const io::Table& table, const std::string& column, const Plate& plate) {
  std::vector<std::uint32_t> members;
  for (const std::optional<std::uint32_t> member : known_members_of(table, column, plate)) {
    if (!member)
      refuse(table, members.size(), table.column(column), fmt::format("names no member of the plate '{}'", plate.name),
             "Fill in the cell, or leave the row out");
    members.push_back(*member);
  }
  return members;
}

}  // namespace fovea::ep
