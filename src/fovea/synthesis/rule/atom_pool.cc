// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/atom_pool.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace fovea::synthesis {
namespace {

/// The number with the fewest digits that is at least `low` and below `high`; of several, the nearest to the middle.
double shortest_between(double low, double high) {
  const double middle = low + (high - low) / 2;
  const double exponent = middle == 0 ? 0 : std::floor(std::log10(std::abs(middle)));
  for (int digits = 0; digits <= 15; ++digits) {
    const double unit = std::pow(10, exponent - digits), inverse = std::round(1 / unit);
    const double scaled = unit >= 1 ? middle / unit : middle * inverse;
    for (const double whole : {std::round(scaled), std::floor(scaled)}) {
      const double rounded = unit >= 1 ? whole * unit : whole / inverse;
      if (rounded >= low && rounded < high) return rounded;
    }
  }
  return low;
}

}  // namespace

AtomPool::AtomPool(const RuleExamples& examples, const std::vector<bool>& positive,
                   const std::vector<LinearScore>& scores, std::size_t most_bounds) {
  for (std::size_t c = 0; c < examples.table.columns.size(); ++c) {
    const RuleColumn& column = examples.table.columns[c];
    if (column.is_numeric) add_numbers(examples, positive, c, most_bounds);
    else add_categories(examples.table, c);
    for (std::size_t row = 0; row < examples.table.row_count; ++row)
      if (column.is_missing(row)) {
        add(examples.table, {.kind = RuleAtom::Kind::kIsMissing, .sum = {{.column = c}}});
        break;
      }
    end_group();
  }
  for (const LinearScore& score : scores) {
    add_score(examples, score);
    end_group();
  }
}

template <class Holds>
void AtomPool::add(RuleAtom atom, std::size_t rows, const Holds& holds) {
  RowBits bits((rows + 63) / 64);
  std::size_t count = 0;
  for (std::size_t row = 0; row < rows; ++row)
    if (holds(row)) {
      bits[row / 64] |= std::uint64_t{1} << (row % 64);
      ++count;
    }
  const auto alike = rows_.begin() + static_cast<std::ptrdiff_t>(group_begins_.back());
  if (count == 0 || count == rows || std::find(alike, rows_.end(), bits) != rows_.end()) return;
  atoms_.push_back(std::move(atom));
  rows_.push_back(std::move(bits));
  groups_.push_back(group_begins_.size() - 1);
}

void AtomPool::add_numbers(const RuleExamples& examples, const std::vector<bool>& positive, std::size_t column,
                           std::size_t most_bounds) {
  const std::vector<double>& numbers = examples.table.columns[column].numbers;
  std::vector<std::pair<double, bool>> values;  // of rows, with their sides
  for (std::size_t row = 0; row < numbers.size(); ++row)
    if (!std::isnan(numbers[row])) values.emplace_back(numbers[row], positive[row]);
  std::sort(values.begin(), values.end());
  std::vector<std::pair<double, double>> gaps;  // of different values, unless all rows at both are of one side
  for (std::size_t i = 0, j = 0, before = 0; i < values.size(); before = i, i = j) {
    for (j = i; j < values.size() && values[j].first == values[i].first;) ++j;
    if (i == 0) continue;
    const auto is_other = [&](const std::pair<double, bool>& value) { return value.second != values[i].second; };
    if (std::any_of(values.begin() + static_cast<std::ptrdiff_t>(before),
                    values.begin() + static_cast<std::ptrdiff_t>(j), is_other))
      gaps.emplace_back(values[i - 1].first, values[i].first);
  }
  std::vector<double> bounds;
  const std::size_t kept = std::min(most_bounds, gaps.size());
  for (std::size_t k = 0; k < kept; ++k) {
    const auto [low, high] = gaps[(2 * k + 1) * gaps.size() / (2 * kept)];
    bounds.push_back(shortest_between(low, high));
  }
  add_bounds({{.column = column}}, numbers, bounds);
}

/// Each bound is rounded as far as that moves no row.
void AtomPool::add_score(const RuleExamples& examples, const LinearScore& score) {
  std::vector<double> values;
  for (std::size_t row = 0; row < examples.table.row_count; ++row)
    values.push_back(sum_at(score.sum, examples.table, row));
  std::vector<double> sorted = values, bounds;
  std::sort(sorted.begin(), sorted.end());
  for (const double bound : score.bounds) {
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), bound);
    if (above == sorted.begin() || above == sorted.end()) continue;  // it would hold always or never
    bounds.push_back(shortest_between(*(above - 1), *above));
  }
  add_bounds(score.sum, values, bounds);
}

/// values: [row], of the sum; NaN, where a cell is missing, is neither at most a bound nor above it.
void AtomPool::add_bounds(const std::vector<RuleSummand>& sum, const std::vector<double>& values,
                          const std::vector<double>& bounds) {
  for (const double bound : bounds)
    add({.kind = RuleAtom::Kind::kAtMost, .sum = sum, .bound = bound}, values.size(),
        [&](std::size_t row) { return values[row] <= bound; });
  for (const double bound : bounds)
    add({.kind = RuleAtom::Kind::kAbove, .sum = sum, .bound = bound}, values.size(),
        [&](std::size_t row) { return values[row] > bound; });
}

void AtomPool::add_categories(const RuleTable& table, std::size_t column) {
  const std::size_t count = table.columns[column].names.size();
  for (const RuleAtom::Kind kind : {RuleAtom::Kind::kIs, RuleAtom::Kind::kIsNot})
    for (std::size_t k = 0; k < count; ++k)
      add(table, {.kind = kind, .sum = {{.column = column, .category = static_cast<std::int32_t>(k)}}});
}

void AtomPool::add(const RuleTable& table, const RuleAtom& atom) {
  add(atom, table.row_count, [&](std::size_t row) { return atom.holds(table, row); });
}

void AtomPool::end_group() {
  if (group_begins_.back() < atoms_.size()) group_begins_.push_back(atoms_.size());
}

}  // namespace fovea::synthesis
