// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/formula_search/atom_space.h"

namespace fovea::synthesis {

/// A formula of terms x atoms comparisons, the state of a chain. A slot is the place of one comparison; those of one
/// disjunct are adjacent.
struct FormulaState {
  /// A comparison's family and number in the AtomSpace.
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t family = 0;
    bool operator==(const Slot&) const = default;
  };

  FormulaState(const AtomSpace& space, std::size_t disjuncts, std::size_t comparisons)
      : terms(disjuncts),
        atoms(comparisons),
        places(space.most_places()),
        slots(terms * atoms),
        digits(slots.size() * places) {}

  std::size_t terms, atoms, places;
  std::vector<Slot> slots;            // [slot]
  std::vector<std::uint32_t> digits;  // [slot][place]; unused places are 0

  bool operator==(const FormulaState&) const = default;
};

/// Draws a comparison afresh: its family by the families' shares, its digits uniformly. Writes the digits to [place].
template <class R>
FormulaState::Slot draw_comparison(const AtomSpace& space, std::uint32_t* digits, R& random) {
  const bool is_second = space.families().size() > 1 && random.bernoulli(space.shares()[1]);
  const AtomSpace::Family& family = space.families()[is_second];
  std::uint64_t number = family.first;
  for (const AtomSpace::Place& place : family.places) {
    *digits = place.digits > 1 ? random.uniform_index(place.digits) : 0;
    number += *digits++ * place.stride;
  }
  return {.number = number, .family = is_second};
}

/// Restarts the chain: draws every comparison afresh.
template <class R>
void draw_formula(const AtomSpace& space, FormulaState& formula, R& random) {
  for (std::size_t slot = 0; slot < formula.slots.size(); ++slot)
    formula.slots[slot] = draw_comparison(space, formula.digits.data() + slot * formula.places, random);
}

/// The formula over rows that the state stands for.
inline Dnf formula_of(const AtomSpace& space, const FormulaState& formula) {
  std::vector<std::vector<std::uint64_t>> numbers(formula.terms);
  for (std::size_t slot = 0; slot < formula.slots.size(); ++slot)
    numbers[slot / formula.atoms].push_back(formula.slots[slot].number);
  return space.formula(numbers);
}

}  // namespace fovea::synthesis
