// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/synthesis/program/transition_system.h"

namespace fovea::synthesis {

/// Coefficients of a linear form over the state.
using LinearCoefficients = std::vector<std::int64_t>;

/// The form divided by the common factor of its entries, the first of them positive; empty for 0 and where an entry is
/// beyond 10^6.
LinearCoefficients canonical_form(LinearCoefficients form);

/// A basis of the integer forms c for which c . x is the same for all these states x, by exact elimination; each
/// canonical. Empty where numbers would become large.
std::vector<LinearCoefficients> constant_forms(const std::vector<ProgramState>& states);

}  // namespace fovea::synthesis
