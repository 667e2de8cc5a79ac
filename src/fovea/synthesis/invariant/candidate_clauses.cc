// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/candidate_clauses.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace fovea {
namespace {

using Form = std::vector<std::int64_t>;

constexpr std::int64_t kMaxEntry = 1'000'000;
/// Mined bounds tried above the largest value seen.
constexpr int kBoundsAbove = 3;

/// Divided by the common factor, the first entry positive; empty for 0 and for large entries.
Form canonical(Form form) {
  std::int64_t divisor = 0;
  for (const std::int64_t entry : form) divisor = std::gcd(divisor, entry);
  if (divisor == 0) return {};
  const auto first = std::find_if(form.begin(), form.end(), [](std::int64_t entry) { return entry != 0; });
  if (*first < 0) divisor = -divisor;
  for (std::int64_t& entry : form) {
    entry /= divisor;
    if (std::abs(entry) > kMaxEntry) return {};
  }
  return form;
}

/// form . state; nothing where it does not fit.
std::optional<std::int64_t> product(const Form& form, const ProgramState& state) {
  std::int64_t total = 0, part = 0;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (__builtin_mul_overflow(form[i], state[i], &part) || __builtin_add_overflow(total, part, &total))
      return std::nullopt;
  return total;
}

/// Subtracts a multiple of `pivot_row` so that row[column] is 0, then divides by the common factor; false where numbers
/// become large.
bool eliminate(Form& row, const Form& pivot_row, std::size_t column) {
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
  return true;
}

}  // namespace

std::vector<Form> constant_forms(const std::vector<ProgramState>& states) {
  if (states.empty()) return {};
  const std::size_t n = states[0].size();
  std::vector<Form> rows;  // a basis of the differences, each with a pivot column of its own, zero in all others
  std::vector<std::size_t> pivots;
  for (const ProgramState& state : states) {
    Form row(n);
    for (std::size_t i = 0; i < n; ++i)
      if (__builtin_sub_overflow(state[i], states[0][i], &row[i])) return {};
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (row[pivots[r]] != 0 && !eliminate(row, rows[r], pivots[r])) return {};
    const auto pivot = std::find_if(row.begin(), row.end(), [](std::int64_t entry) { return entry != 0; });
    if (pivot == row.end()) continue;
    pivots.push_back(static_cast<std::size_t>(pivot - row.begin()));
    for (Form& other : rows)
      if (other[pivots.back()] != 0 && !eliminate(other, row, pivots.back())) return {};
    rows.push_back(row);
    if (rows.size() == n) return {};
  }
  std::vector<Form> result;
  for (std::size_t open = 0; open < n; ++open) {
    if (std::find(pivots.begin(), pivots.end(), open) != pivots.end()) continue;
    std::int64_t scale = 1;  // x_open; the pivots follow: row . x = 0
    for (std::size_t r = 0; r < rows.size(); ++r) {
      scale = std::lcm(scale, std::abs(rows[r][pivots[r]]));
      if (scale > kMaxEntry) return {};
    }
    Form form(n);
    form[open] = scale;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (__builtin_mul_overflow(-scale / rows[r][pivots[r]], rows[r][open], &form[pivots[r]])) return {};
    if (Form reduced = canonical(form); !reduced.empty()) result.push_back(reduced);
  }
  return result;
}

std::vector<Form> usual_forms(const TransitionSystem& system, const MinedMaterial& material,
                              const std::vector<ProgramState>& states, std::size_t most) {
  std::set<Form> known;
  std::vector<Form> forms;
  const auto add = [&](const Form& form) {
    const Form reduced = canonical(form);
    if (!reduced.empty() && forms.size() < most && known.insert(reduced).second) forms.push_back(reduced);
  };
  const std::size_t n = system.size();
  for (std::size_t i = 0; i < n; ++i) {
    Form form(n);
    form[i] = 1;
    add(form);
  }
  for (const Form& form : constant_forms(states)) add(form);
  for (const Form& form : material.forms) add(form);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      for (const std::int64_t factor : {-1, 1}) {
        Form form(n);
        form[i] = 1;
        form[j] = factor;
        add(form);
      }
  return forms;
}

std::vector<Clause> atoms_around(const std::vector<Form>& forms, const MinedMaterial& material,
                                 const std::vector<ProgramState>& states) {
  std::vector<Clause> clauses;
  const auto add = [&](const Form& form) {
    std::optional<std::int64_t> largest;
    for (const ProgramState& state : states) {
      const std::optional<std::int64_t> value = product(form, state);
      if (!value) return;
      largest = std::max(largest.value_or(*value), *value);
    }
    if (!largest) return;
    clauses.push_back({{Atom{form, *largest}}});
    auto above = std::upper_bound(material.bounds.begin(), material.bounds.end(), *largest);
    for (int i = 0; i < kBoundsAbove && above != material.bounds.end(); ++i, ++above)
      clauses.push_back({{Atom{form, *above}}});
  };
  for (Form form : forms) {
    add(form);
    for (std::int64_t& entry : form) entry = -entry;
    add(form);
  }
  return clauses;
}

std::vector<Clause> clauses_behind(const Atom& guard, const std::vector<Form>& forms, const MinedMaterial& material,
                                   const std::vector<ProgramState>& states) {
  std::vector<ProgramState> inside;
  for (const ProgramState& state : states)
    if (guard.holds(state)) inside.push_back(state);
  if (inside.empty() || inside.size() == states.size()) return {};
  const Atom otherwise = negation(guard);
  std::vector<Clause> clauses = atoms_around(forms, material, inside);
  std::erase_if(clauses, [&](const Clause& clause) { return clause.atoms[0].coefficients == guard.coefficients; });
  for (Clause& clause : clauses) clause.atoms.insert(clause.atoms.begin(), otherwise);
  return clauses;
}

}  // namespace fovea
