// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/labelled_pairs.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/pair_hash.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

bool parse_label(const io::Table& table, std::size_t row, std::size_t column) {
  static constexpr std::array<std::string_view, 3> kYes = {"1", "yes", "true"}, kNo = {"0", "no", "false"};
  const std::string label = normalised(table.cell(row, column));
  if (std::ranges::find(kYes, label) != kYes.end()) return true;
  if (std::ranges::find(kNo, label) != kNo.end()) return false;
  throw InputError(table.location(row), fmt::format("the label '{}' says neither yes nor no", table.cell(row, column)),
                   "Write 1, yes, true or 0, no, false in the column 'match', or nothing");
}

std::uint32_t row_of(const io::Table& table, std::size_t row, std::size_t column, const RecordNames& names) {
  const std::string_view name = table.cell(row, column);
  if (const auto found = names.find(name)) return static_cast<std::uint32_t>(*found);
  if (names.ids)
    throw InputError(table.location(row), fmt::format("no record has the id '{}'", name),
                     "Label pairs of the records that are given");
  throw InputError(table.location(row), fmt::format("'{}' is not a row of a table of {}", name, names.row_count),
                   "Without option 'id', pairs name rows, numbered from 0");
}

/// "line 3" of a file, or the row of a table in memory.
std::string place_of(const io::Table& table, std::size_t row) {
  const InputLocation location = table.location(row);
  return location.line > 0 ? fmt::format("line {}", location.line) : location.file;
}

}  // namespace

std::optional<std::size_t> RecordNames::find(std::string_view name) const {
  if (ids) {
    const auto found = ids->find(name);
    return found ? std::optional(begin + *found) : std::nullopt;
  }
  std::size_t row = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), row);
  return error == std::errc() && end == name.data() + name.size() && row < row_count ? std::optional(begin + row)
                                                                                     : std::nullopt;
}

namespace {

/// The columns of the two names.
std::pair<std::size_t, std::size_t> columns_of(const io::Table& table, const PairNames& names) {
  return {table.column(names.first.ids ? "first_id" : "first"),
          table.column(names.second.ids ? "second_id" : "second")};
}

/// Reads pairs; label(row) is that of a row of the table, nullopt to skip it.
template <class Label>
std::vector<LabelledRowPair> read_pairs(const io::Table& table, const PairNames& names, Label&& label) {
  const auto [first, second] = columns_of(table, names);
  std::vector<LabelledRowPair> pairs;
  std::vector<std::size_t> lines;  // [pair] row of the table
  tsl::robin_map<std::uint64_t, std::size_t, PairHash> known;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::optional<bool> is_match = label(row);
    if (!is_match) continue;
    LabelledRowPair pair{{row_of(table, row, first, names.first), row_of(table, row, second, names.second)}, *is_match};
    if (pair.rows.first == pair.rows.second)
      throw InputError(table.location(row), "a record is paired with itself", "Name pairs of two records");
    if (pair.rows.first > pair.rows.second) std::swap(pair.rows.first, pair.rows.second);
    const auto [at, is_new] = known.try_emplace(pair_key(pair.rows.first, pair.rows.second), pairs.size());
    if (is_new) {
      pairs.push_back(pair);
      lines.push_back(row);
    } else if (pairs[at->second].is_match != pair.is_match) {
      throw InputError(table.location(row),
                       fmt::format("the pair is labelled otherwise in {}", place_of(table, lines[at->second])),
                       "Decide whether it matches");
    }
  }
  return pairs;
}

}  // namespace

std::vector<LabelledRowPair> read_labelled_pairs(const io::Table& table, const PairNames& names) {
  columns_of(table, names);  // they are looked for before the labels
  const std::size_t match = table.column("match");
  return read_pairs(table, names, [&](std::size_t row) {
    return table.is_missing(row, match) ? std::nullopt : std::optional(parse_label(table, row, match));
  });
}

std::vector<LabelledRowPair> read_linked_pairs(const io::Table& table, const PairNames& names, bool is_match) {
  return read_pairs(table, names, [&](std::size_t) { return std::optional(is_match); });
}

}  // namespace fovea::linkage
