// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/stop.h"
#include "fovea/synthesis/program/transition_system.h"

namespace fovea {

/// States that runs of a program come by, found by running it forward without a solver. Every invariant holds in all.
struct SampledStates {
  std::vector<ProgramState> states;  ///< each once
  bool is_cut_short = false;         ///< some run was still going when its steps were spent
};

/// `starts` runs of at most `steps` steps, until `most` different states are known or `stop` asks to end. Numbers that
/// nothing determines are drawn near `numbers`.
SampledStates sample_states(const TransitionSystem& system, std::vector<std::int64_t> numbers, int starts, int steps,
                            std::size_t most, const Stop& stop, Random& random);

}  // namespace fovea
