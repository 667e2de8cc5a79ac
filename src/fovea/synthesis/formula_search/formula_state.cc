// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/formula_state.h"

namespace fovea::synthesis {

Dnf formula_of(const AtomSpace& space, const FormulaState& formula) {
  std::vector<std::vector<std::uint64_t>> numbers(formula.terms);
  for (std::size_t slot = 0; slot < formula.slots.size(); ++slot)
    numbers[slot / formula.atoms].push_back(formula.slots[slot].number);
  return space.formula(numbers);
}

}  // namespace fovea::synthesis
