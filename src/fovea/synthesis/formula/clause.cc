// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula/clause.h"

#include <algorithm>

namespace fovea::synthesis {
namespace {

bool implies(const Atom& atom, const Atom& other) {
  return atom.coefficients == other.coefficients && atom.bound <= other.bound;
}

/// Each atom of `clause` implies one of `other`.
bool implies(const Clause& clause, const Clause& other) {
  return std::ranges::all_of(clause.atoms, [&](const Atom& atom) {
    return std::ranges::any_of(other.atoms, [&](const Atom& weaker) { return implies(atom, weaker); });
  });
}

}  // namespace

bool Clause::holds(std::span<const std::int64_t> row) const {
  return std::ranges::any_of(atoms, [&](const Atom& atom) { return atom.holds(row); });
}

std::string smt_text(std::span<const Clause> clauses, const Dnf& formula, std::span<const std::string> names) {
  std::vector<std::string> parts;
  for (const Clause& clause : clauses) {
    Dnf disjunction;
    for (const Atom& atom : clause.atoms) disjunction.disjuncts.push_back({atom});
    parts.push_back(disjunction.smt_text(names));
  }
  const bool is_true = std::ranges::any_of(formula.disjuncts, [](const auto& atoms) { return atoms.empty(); });
  if (!is_true) parts.push_back(formula.smt_text(names));
  if (parts.empty()) return "true";
  if (parts.size() == 1) return parts[0];
  std::string text = "(and";
  for (const std::string& part : parts) text += " " + part;
  return text + ")";
}

std::vector<Clause> without_implied(std::vector<Clause> clauses) {
  std::vector<Clause> kept;
  // Of clauses that imply each other the first stays: what comes later may not drop it.
  std::ranges::stable_sort(clauses, {}, [](const Clause& clause) { return clause.atoms.size(); });
  for (const Clause& clause : clauses) {
    if (std::ranges::any_of(kept, [&](const Clause& other) { return implies(other, clause); })) continue;
    std::erase_if(kept, [&](const Clause& other) { return implies(clause, other); });
    kept.push_back(clause);
  }
  return kept;
}

}  // namespace fovea::synthesis
