// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/candidate_clauses.h"

#include <algorithm>
#include <optional>
#include <set>

#include "fovea/synthesis/invariant/linear_span.h"
#include "fovea/synthesis/program/linear_form.h"

namespace fovea::synthesis {
namespace {

/// Mined bounds tried above the largest value seen.
constexpr int kBoundsAbove = 3;
constexpr std::size_t kMostForms = 400, kMostClauses = 4000, kMostGuards = 12, kMostNormalClauses = 64;

/// A term in conjunctive normal form; nothing where it is not linear or too large.
class NormalForm {
 public:
  explicit NormalForm(const TransitionSystem& system) : system_(system) {}

  /// Each conjunct by itself: those that have no normal form are left out.
  void add_conjuncts(TermId id, std::vector<Clause>& clauses) const {
    const Term term = system_.terms[id];
    if (term.kind == TermKind::kAnd) {
      for (const TermId operand : term.operands) add_conjuncts(operand, clauses);
    } else if (const auto normal = of(id, true)) {
      clauses.insert(clauses.end(), normal->begin(), normal->end());
    }
  }

 private:
  using Clauses = std::optional<std::vector<Clause>>;

  Clauses of(TermId id, bool wanted) const {
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

/// form . state; nothing where it does not fit.
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

/// Each form and its opposite, at most what it is in the states, or a mined number above.
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

/// What the clauses' other atoms may be conditions of: their opposites.
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

}  // namespace fovea::synthesis
