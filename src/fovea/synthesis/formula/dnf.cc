// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula/dnf.h"

#include <algorithm>

namespace fovea::synthesis {

bool Dnf::holds(std::span<const std::int64_t> row) const {
  return std::ranges::any_of(disjuncts, [&](const Conjunction& atoms) {
    return std::ranges::all_of(atoms, [&](const Atom& atom) { return atom.holds(row); });
  });
}

}  // namespace fovea::synthesis
