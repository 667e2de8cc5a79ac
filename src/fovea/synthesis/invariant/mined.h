// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/synthesis/formula/atom.h"
#include "fovea/synthesis/program/transition_system.h"

namespace fovea::synthesis {

/// What a program's text suggests that its invariants are made of.
struct MinedMaterial {
  std::vector<std::int64_t> numbers;  ///< its numbers and 0, rising, each once
  std::vector<std::int64_t> bounds;   ///< the same, their opposites, and what is 1 more or less; rising, each once
  std::vector<Atom> guards;           ///< its comparisons as atoms over the state; of an equation both; each once
  std::vector<std::vector<std::int64_t>> forms;  ///< their left sides, each once up to sign and common factors
};

/// Comparisons count wherever they stand, those over states after the step as well; comparisons that connect the states
/// before and after give the form that vanishes, or the change, on the state before.
MinedMaterial mine(const TransitionSystem& system);

}  // namespace fovea::synthesis
