// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::synthesis {

/// A part of the formula that violates no more examples: disjuncts and then atoms are left out, one after the other, as
/// long as that holds. It may hold elsewhere than the formula at rows that are no example. O(atoms^2 examples
/// variables).
Dnf shortened(const Dnf& formula, const ExampleSet& examples);

}  // namespace fovea::synthesis
