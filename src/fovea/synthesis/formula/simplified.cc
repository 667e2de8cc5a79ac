// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fovea/synthesis/formula/dnf.h"

namespace fovea::synthesis {
namespace {

using Conjunction = Dnf::Conjunction;

bool has_no_variable(const Atom& atom) {
  return std::ranges::all_of(atom.coefficients, [](std::int64_t c) { return c == 0; });
}

/// True if equal coefficients show it. Both atoms must be reduced.
bool is_implied_by(const Atom& atom, const Atom& other) {
  return atom.coefficients == other.coefficients && other.bound <= atom.bound;
}

/// a . x <= b and -a . x <= c with b + c < 0.
bool exclude_each_other(const Atom& atom, const Atom& other) {
  if (!std::ranges::equal(atom.coefficients, other.coefficients, {}, {}, [](std::int64_t c) { return -c; }))
    return false;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(atom.bound, other.bound, &sum)) return atom.bound < 0;
  return sum < 0;
}

bool can_hold(const Conjunction& atoms) {
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (has_no_variable(atoms[i]) && atoms[i].bound < 0) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (exclude_each_other(atoms[i], atoms[j])) return false;
  }
  return true;
}

/// The atoms reduced and sorted, without those that others imply.
Conjunction shortest(Conjunction atoms) {
  std::ranges::transform(atoms, atoms.begin(), reduced);
  std::ranges::sort(atoms);  // the tighter of two bounds first
  Conjunction kept;
  for (Atom& atom : atoms) {
    if (has_no_variable(atom) && atom.bound >= 0) continue;
    if (std::ranges::none_of(kept, [&](const Atom& other) { return is_implied_by(atom, other); }))
      kept.push_back(std::move(atom));
  }
  return kept;
}

bool implies(const Conjunction& atoms, const Conjunction& others) {
  return std::ranges::all_of(others, [&](const Atom& other) {
    return std::ranges::any_of(atoms, [&](const Atom& atom) { return is_implied_by(other, atom); });
  });
}

}  // namespace

Dnf simplified(const Dnf& formula) {
  Dnf simple;
  for (const Conjunction& disjunct : formula.disjuncts) {
    Conjunction atoms = shortest(disjunct);
    const auto is_weaker = [&](const Conjunction& other) { return implies(atoms, other); };
    if (!can_hold(atoms) || std::ranges::any_of(simple.disjuncts, is_weaker)) continue;
    std::erase_if(simple.disjuncts, [&](const Conjunction& other) { return implies(other, atoms); });
    simple.disjuncts.push_back(std::move(atoms));
  }
  return simple;
}

}  // namespace fovea::synthesis
