// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/candidate_clauses.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {
namespace {

constexpr std::int64_t kMaxEntry = 1'000'000;
/// Elimination gives up at larger numbers, so that none of its own is the smallest of its type.
constexpr std::int64_t kMaxRowEntry = std::int64_t{1} << 60;

bool is_moderate(const LinearCoefficients& row) {
  return std::ranges::all_of(row, [](std::int64_t x) { return -kMaxRowEntry <= x && x <= kMaxRowEntry; });
}

/// Subtracts a multiple of `pivot_row` so that row[column] is 0, then divides by the common factor; returns false if
/// numbers become large.
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

namespace {

constexpr std::int64_t kMaxCoefficient = 1000, kMaxBound = 1'000'000'000;

class Miner {
 public:
  explicit Miner(const TransitionSystem& system) : system_(system) {}

  MinedMaterial mine() {
    numbers_ = {0};
    for (const TermId id : system_.terms.sub_terms(std::array{system_.pre, system_.trans, system_.post})) {
      const Term term = system_.terms[id];
      if (term.kind == TermKind::kNumber) numbers_.insert(term.number);
      if (term.kind == TermKind::kEqual || term.kind == TermKind::kAtMost || term.kind == TermKind::kLess)
        compare(term);
    }
    MinedMaterial material = {.numbers = {}, .bounds = {}, .guards = {}, .forms = {}};
    for (const std::int64_t number : numbers_)
      if (std::abs(number) <= kMaxBound) material.numbers.push_back(number);
    std::set<std::int64_t> bounds;
    for (const std::int64_t number : material.numbers)
      for (const std::int64_t signed_number : {number, -number})
        for (const std::int64_t step : {-1, 0, 1}) bounds.insert(signed_number + step);
    material.bounds.assign(bounds.begin(), bounds.end());
    material.guards.assign(guards_.begin(), guards_.end());
    material.forms.assign(forms_.begin(), forms_.end());
    return material;
  }

 private:
  void compare(const Term& term) {
    const std::size_t n = system_.size();
    const std::optional<LinearForm> left = linear_form(system_.terms, term.operands[0], 2 * n);
    const std::optional<LinearForm> right = linear_form(system_.terms, term.operands[1], 2 * n);
    if (!left || !right) return;
    std::vector<std::int64_t> before(n), after(n), sum(n);
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const std::int64_t a = left->coefficients[i], b = right->coefficients[i];
      if (std::max(std::abs(a), std::abs(b)) > kMaxCoefficient) return;
      (i < n ? before : after)[i % n] = a - b;
      sum[i % n] += a - b;
    }
    const std::int64_t bound = right->constant - left->constant;
    if (std::abs(right->constant) > kMaxBound || std::abs(left->constant) > kMaxBound) return;
    numbers_.insert(bound);
    const bool is_before = is_zero(after), is_after = is_zero(before);
    if (is_before || is_after) add_guard(term.kind, is_before ? before : after, bound);
    else add_form(sum);
  }

  static bool is_zero(const std::vector<std::int64_t>& form) {
    return std::all_of(form.begin(), form.end(), [](std::int64_t factor) { return factor == 0; });
  }

  void add_guard(TermKind kind, std::vector<std::int64_t> form, std::int64_t bound) {
    if (is_zero(form)) return;
    add_form(form);
    guards_.insert(reduced({form, kind == TermKind::kLess ? bound - 1 : bound}));
    if (kind != TermKind::kEqual) return;
    for (std::int64_t& factor : form) factor = -factor;
    guards_.insert(reduced({form, -bound}));
  }

  void add_form(std::vector<std::int64_t> form) {
    if (is_zero(form)) return;
    std::int64_t divisor = 0;
    for (const std::int64_t factor : form) divisor = std::gcd(divisor, factor);
    const auto first = std::find_if(form.begin(), form.end(), [](std::int64_t factor) { return factor != 0; });
    if (*first < 0) divisor = -divisor;
    for (std::int64_t& factor : form) factor /= divisor;
    forms_.insert(form);
  }

  const TransitionSystem& system_;
  std::set<std::int64_t> numbers_;
  std::set<Atom> guards_;
  std::set<std::vector<std::int64_t>> forms_;
};

}  // namespace

MinedMaterial mine(const TransitionSystem& system) { return Miner(system).mine(); }

namespace {

/// Number of mined bounds tried above the largest value seen.
constexpr int kBoundsAbove = 3;
constexpr std::size_t kMostForms = 400, kMostClauses = 4000, kMostGuards = 12, kMostNormalClauses = 64;

/// A term in conjunctive normal form; none if it is not linear or too large.
class NormalForm {
 public:
  explicit NormalForm(const TransitionSystem& system) : system_(system) {}

  /// Adds each conjunct by itself, once; those without a normal form are left out.
  void add_conjuncts(TermId root, std::vector<Clause>& clauses) const {
    std::set<TermId> seen;
    std::vector<TermId> left = {root};  // the next one last
    while (!left.empty()) {
      const TermId id = left.back();
      left.pop_back();
      if (!seen.insert(id).second) continue;
      const Term term = system_.terms[id];
      if (term.kind == TermKind::kAnd) left.insert(left.end(), term.operands.rbegin(), term.operands.rend());
      else if (const auto normal = of(id, true)) clauses.insert(clauses.end(), normal->begin(), normal->end());
    }
  }

 private:
  using Clauses = std::optional<std::vector<Clause>>;

  Clauses of(TermId id, bool wanted) const {
    if (system_.terms.written_size(id) > TermPool::kMostWritten) return std::nullopt;
    const Term term = system_.terms[id];
    switch (term.kind) {
      case TermKind::kTruth:
        return (term.number != 0) == wanted ? Clauses(std::vector<Clause>{}) : Clauses({Clause{}});
      case TermKind::kNot:
        return of(term.operands[0], !wanted);
      case TermKind::kAnd:
      case TermKind::kOr:
        return (term.kind == TermKind::kAnd) == wanted ? all_of(term, wanted) : any_of(term, wanted);
      case TermKind::kIfThenElse:
        return if_then_else(term, wanted);
      case TermKind::kVariable:
      case TermKind::kEqual:
      case TermKind::kAtMost:
      case TermKind::kLess:
        return comparison(term, wanted);
      case TermKind::kNumber:
      case TermKind::kSum:
      case TermKind::kScaled:
      case TermKind::kQuotient:
      case TermKind::kRemainder:
        break;
    }
    return std::nullopt;
  }

  Clauses all_of(const Term& term, bool wanted) const {
    std::vector<Clause> all;
    for (const TermId operand : term.operands) {
      const Clauses part = of(operand, wanted);
      if (!part || all.size() + part->size() > kMostNormalClauses) return std::nullopt;
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }

  Clauses any_of(const Term& term, bool wanted) const {
    Clauses any = {{Clause{}}};
    for (const TermId operand : term.operands) any = either(any, of(operand, wanted));
    return any;
  }

  /// (not condition or then) and (condition or else).
  Clauses if_then_else(const Term& term, bool wanted) const {
    Clauses first = either(of(term.operands[0], false), of(term.operands[1], wanted));
    const Clauses second = either(of(term.operands[0], true), of(term.operands[2], wanted));
    if (!first || !second) return std::nullopt;
    first->insert(first->end(), second->begin(), second->end());
    return first;
  }

  static Clauses either(const Clauses& left, const Clauses& right) {
    if (!left || !right || left->size() * right->size() > kMostNormalClauses) return std::nullopt;
    std::vector<Clause> product;
    for (const Clause& a : *left)
      for (const Clause& b : *right) {
        product.push_back(a);
        product.back().atoms.insert(product.back().atoms.end(), b.atoms.begin(), b.atoms.end());
      }
    return product;
  }

  Clauses comparison(const Term& term, bool wanted) const {
    const std::size_t n = system_.size();
    Atom atom = {.coefficients = LinearCoefficients(n)};  // at most
    if (term.kind == TermKind::kVariable) {
      if (static_cast<std::size_t>(term.number) >= n) return std::nullopt;
      atom.coefficients[static_cast<std::size_t>(term.number)] = 1;  // false: x <= 0
      return std::vector<Clause>{{.atoms = {wanted ? negation(atom) : atom}}};
    }
    if (system_.terms.sort(term.operands[0]) == Sort::kBoolean) return equivalence(term, wanted);
    const auto left = linear_form(system_.terms, term.operands[0], 2 * n);
    const auto right = linear_form(system_.terms, term.operands[1], 2 * n);
    if (!left || !right) return std::nullopt;
    constexpr std::int64_t kLargest = std::int64_t{1} << 40;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const std::int64_t a = left->coefficients[i], b = right->coefficients[i];
      if (std::max(std::abs(a), std::abs(b)) > kLargest || (i >= n && (a != 0 || b != 0))) return std::nullopt;
      if (i < n) atom.coefficients[i] = a - b;
    }
    if (std::max(std::abs(left->constant), std::abs(right->constant)) > kLargest) return std::nullopt;
    atom.bound = right->constant - left->constant - (term.kind == TermKind::kLess ? 1 : 0);
    if (term.kind != TermKind::kEqual) return std::vector<Clause>{{.atoms = {wanted ? atom : negation(atom)}}};
    Atom at_least = atom;
    for (std::int64_t& entry : at_least.coefficients) entry = -entry;
    at_least.bound = -atom.bound;
    if (wanted) return std::vector<Clause>{{.atoms = {atom}}, {.atoms = {at_least}}};
    return std::vector<Clause>{{.atoms = {negation(atom), negation(at_least)}}};
  }

  /// a = b: (not a or b) and (a or not b); a != b: (a or b) and (not a or not b).
  Clauses equivalence(const Term& term, bool wanted) const {
    Clauses first = either(of(term.operands[0], !wanted), of(term.operands[1], true));
    const Clauses second = either(of(term.operands[0], wanted), of(term.operands[1], false));
    if (!first || !second) return std::nullopt;
    first->insert(first->end(), second->begin(), second->end());
    return first;
  }

  const TransitionSystem& system_;
};

/// form . state; none if it does not fit into 64 bits.
std::optional<std::int64_t> product(const LinearCoefficients& form, const ProgramState& state) {
  std::int64_t total = 0, part = 0;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (__builtin_mul_overflow(form[i], state[i], &part) || __builtin_add_overflow(total, part, &total))
      return std::nullopt;
  return total;
}

std::vector<LinearCoefficients> usual_forms(const TransitionSystem& system, const MinedMaterial& material,
                                            const std::vector<ProgramState>& states) {
  std::set<LinearCoefficients> known;
  std::vector<LinearCoefficients> forms;
  const auto add = [&](const LinearCoefficients& form) {
    const LinearCoefficients reduced = canonical_form(form);
    if (!reduced.empty() && forms.size() < kMostForms && known.insert(reduced).second) forms.push_back(reduced);
  };
  const std::size_t n = system.size();
  const auto add_pair = [&](std::size_t i, std::size_t j, std::int64_t factor) {
    LinearCoefficients form(n);
    form[i] = 1;
    form[j] += factor;
    add(form);
  };
  for (std::size_t i = 0; i < n; ++i) add_pair(i, i, 0);
  for (const LinearCoefficients& form : constant_forms(states)) add(form);
  for (const LinearCoefficients& form : material.forms) add(form);
  for (const std::int64_t factor : {-1, 1})
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) add_pair(i, j, factor);
  for (const std::int64_t factor : material.numbers)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (i != j && std::abs(factor) > 1) add_pair(i, j, -factor);
  return forms;
}

/// Each form and its opposite, bounded by its largest value in the states and by the mined numbers next above it.
std::vector<Atom> atoms_around(const std::vector<LinearCoefficients>& forms, const MinedMaterial& material,
                               const std::vector<ProgramState>& states) {
  std::vector<Atom> atoms;
  const auto add = [&](const LinearCoefficients& form) {
    std::optional<std::int64_t> largest;
    for (const ProgramState& state : states) {
      const std::optional<std::int64_t> value = product(form, state);
      if (!value) return;
      largest = std::max(largest.value_or(*value), *value);
    }
    if (!largest) return;
    atoms.push_back({form, *largest});
    auto above = std::ranges::upper_bound(material.bounds, *largest);
    for (int i = 0; i < kBoundsAbove && above != material.bounds.end(); ++i, ++above) atoms.push_back({form, *above});
  };
  for (LinearCoefficients form : forms) {
    add(form);
    for (std::int64_t& entry : form) entry = -entry;
    add(form);
  }
  return atoms;
}

/// The opposites of the atoms of clauses with more than one, as conditions for the other atoms.
std::vector<Atom> guards_of(const std::vector<Clause>& clauses) {
  std::set<Atom> guards;
  for (const Clause& clause : clauses)
    if (clause.atoms.size() > 1)
      for (const Atom& atom : clause.atoms)
        if (guards.size() < kMostGuards) guards.insert(negation(atom));
  return {guards.begin(), guards.end()};
}

}  // namespace

std::vector<Clause> clauses_of(const TransitionSystem& system, TermId term) {
  std::vector<Clause> clauses;
  NormalForm(system).add_conjuncts(term, clauses);
  return clauses;
}

std::vector<Clause> stated_clauses(const TransitionSystem& system, const std::vector<ProgramState>& states) {
  std::vector<Clause> clauses = clauses_of(system, system.post);
  for (const Clause& clause : clauses_of(system, system.pre)) clauses.push_back(clause);
  std::erase_if(clauses, [&](const Clause& clause) {
    return !std::ranges::all_of(states, [&](const ProgramState& state) { return clause.holds(state); });
  });
  return clauses;
}

std::vector<Clause> bounding_clauses(const TransitionSystem& system, const MinedMaterial& material,
                                     const std::vector<ProgramState>& states) {
  std::vector<Clause> clauses;
  for (const Atom& atom : atoms_around(usual_forms(system, material, states), material, states))
    clauses.push_back({.atoms = {atom}});
  return clauses;
}

std::vector<Clause> guarded_clauses(const TransitionSystem& system, const MinedMaterial& material,
                                    const std::vector<ProgramState>& states) {
  const std::vector<LinearCoefficients> forms = usual_forms(system, material, states);
  std::vector<Clause> candidates;
  for (const Atom& guard : guards_of(clauses_of(system, system.post))) {
    std::vector<ProgramState> inside;
    for (const ProgramState& state : states)
      if (guard.holds(state)) inside.push_back(state);
    if (inside.empty() || inside.size() == states.size()) continue;
    for (const Atom& atom : atoms_around(forms, material, inside))
      if (candidates.size() < kMostClauses) candidates.push_back({.atoms = {negation(guard), atom}});
  }
  return candidates;
}

std::vector<Clause> located_clauses(const TransitionSystem& system, std::size_t location, const MinedMaterial& material,
                                    const std::vector<ProgramState>& states) {
  std::map<std::int64_t, std::vector<ProgramState>> by_location;
  for (const ProgramState& state : states) by_location[state[location]].push_back(state);
  std::vector<Clause> candidates;
  Atom below = {.coefficients = LinearCoefficients(system.size()), .bound = 0}, above = below;
  below.coefficients[location] = 1;
  above.coefficients[location] = -1;
  for (const auto& [k, inside] : by_location) {
    below.bound = k - 1;
    above.bound = -k - 1;
    for (const Atom& atom : atoms_around(usual_forms(system, material, inside), material, inside))
      if (atom.coefficients[location] == 0 && candidates.size() < kMostClauses)
        candidates.push_back({.atoms = {below, above, atom}});
  }
  return candidates;
}

}  // namespace fovea::synthesis
