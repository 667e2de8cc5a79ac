// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/clause.h"

#include <algorithm>

namespace fovea {

bool Clause::holds(std::span<const std::int64_t> row) const {
  return std::any_of(atoms.begin(), atoms.end(), [&](const Atom& atom) { return atom.holds(row); });
}

bool InvariantFormula::holds(std::span<const std::int64_t> row) const {
  return std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) { return clause.holds(row); }) &&
         rest.holds(row);
}

std::string InvariantFormula::smt_text(std::span<const std::string> names) const {
  std::vector<std::string> parts;
  for (const Clause& clause : clauses) {
    Dnf formula;
    for (const Atom& atom : clause.atoms) formula.disjuncts.push_back({atom});
    parts.push_back(formula.smt_text(names));
  }
  const bool is_rest_true = std::any_of(rest.disjuncts.begin(), rest.disjuncts.end(),
                                        [](const Dnf::Conjunction& conjunction) { return conjunction.empty(); });
  if (!is_rest_true) parts.push_back(rest.smt_text(names));
  if (parts.empty()) return "true";
  if (parts.size() == 1) return parts[0];
  std::string text = "(and";
  for (const std::string& part : parts) text += " " + part;
  return text + ")";
}

}  // namespace fovea
