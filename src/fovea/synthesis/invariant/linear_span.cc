// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/linear_span.h"

#include <algorithm>
#include <numeric>

namespace fovea::synthesis {
namespace {

constexpr std::int64_t kMaxEntry = 1'000'000;
/// Elimination ends at larger numbers: none of its own can then be the least of its type.
constexpr std::int64_t kMaxRowEntry = std::int64_t{1} << 60;

bool is_moderate(const LinearCoefficients& row) {
  return std::ranges::all_of(row, [](std::int64_t x) { return -kMaxRowEntry <= x && x <= kMaxRowEntry; });
}

/// Subtracts a multiple of `pivot_row` so that row[column] is 0, then divides by the common factor; false where numbers
/// become large.
bool eliminate(LinearCoefficients& row, const LinearCoefficients& pivot_row, std::size_t column) {
  const std::int64_t factor = std::gcd(row[column], pivot_row[column]);
  const std::int64_t a = pivot_row[column] / factor, b = row[column] / factor;
  std::int64_t divisor = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::int64_t left = 0, right = 0;
    if (__builtin_mul_overflow(a, row[i], &left) || __builtin_mul_overflow(b, pivot_row[i], &right) ||
        __builtin_sub_overflow(left, right, &row[i]))
      return false;
    divisor = std::gcd(divisor, row[i]);
  }
  if (divisor > 1)
    for (std::int64_t& entry : row) entry /= divisor;
  return is_moderate(row);
}

}  // namespace

LinearCoefficients canonical_form(LinearCoefficients form) {
  std::int64_t divisor = 0;
  for (const std::int64_t entry : form) divisor = std::gcd(divisor, entry);
  if (divisor == 0) return {};
  const auto first = std::find_if(form.begin(), form.end(), [](std::int64_t entry) { return entry != 0; });
  if (*first < 0) divisor = -divisor;
  for (std::int64_t& entry : form) {
    entry /= divisor;
    if (entry < -kMaxEntry || entry > kMaxEntry) return {};
  }
  return form;
}

std::vector<LinearCoefficients> constant_forms(const std::vector<ProgramState>& states) {
  if (states.empty()) return {};
  const std::size_t n = states[0].size();
  std::vector<LinearCoefficients>
      rows;  // a basis of the differences, each with a pivot column of its own, zero in all others
  std::vector<std::size_t> pivots;
  for (const ProgramState& state : states) {
    LinearCoefficients row(n);
    for (std::size_t i = 0; i < n; ++i)
      if (__builtin_sub_overflow(state[i], states[0][i], &row[i])) return {};
    if (!is_moderate(row)) return {};
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (row[pivots[r]] != 0 && !eliminate(row, rows[r], pivots[r])) return {};
    const auto pivot = std::find_if(row.begin(), row.end(), [](std::int64_t entry) { return entry != 0; });
    if (pivot == row.end()) continue;
    pivots.push_back(static_cast<std::size_t>(pivot - row.begin()));
    for (LinearCoefficients& other : rows)
      if (other[pivots.back()] != 0 && !eliminate(other, row, pivots.back())) return {};
    rows.push_back(row);
    if (rows.size() == n) return {};
  }
  std::vector<LinearCoefficients> result;
  for (std::size_t open = 0; open < n; ++open) {
    if (std::find(pivots.begin(), pivots.end(), open) != pivots.end()) continue;
    std::int64_t scale = 1;  // x_open; the pivots follow: row . x = 0
    for (std::size_t r = 0; r < rows.size(); ++r) {
      scale = std::lcm(scale, std::abs(rows[r][pivots[r]]));
      if (scale > kMaxEntry) return {};
    }
    LinearCoefficients form(n);
    form[open] = scale;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (__builtin_mul_overflow(-scale / rows[r][pivots[r]], rows[r][open], &form[pivots[r]])) return {};
    if (LinearCoefficients reduced = canonical_form(form); !reduced.empty()) result.push_back(reduced);
  }
  return result;
}

}  // namespace fovea::synthesis
