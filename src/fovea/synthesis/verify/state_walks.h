// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// States that runs of the program come by, each once: `runs` of them from start states as different as a solver finds
/// them, at most `steps` steps each. Every invariant holds in all. Fewer where `stop` asks to end; what does not fit 64
/// bits is left out.
std::vector<ProgramState> walk_states(const TransitionSystem& system, int runs, int steps, const Stop& stop,
                                      Random random);

}  // namespace fovea::synthesis
