// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
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

/// A run from a start state to one that is not allowed: the reason why there is no invariant.
using UnsafeRun = std::vector<ProgramState>;

/// Whether it is one, by evaluating the program's conditions: shares nothing with what found it.
bool is_unsafe_run(const TransitionSystem& system, std::span<const ProgramState> run);

/// Seeks a shortest one by unrolling the program step after step in Z3 (bounded model checking; Biere et al. 1999,
/// "Symbolic model checking without BDDs"). Empty: none of at most `steps` steps, with numbers of 64 bits, was found
/// before `stop` asked to end.
UnsafeRun find_unsafe_run(const TransitionSystem& system, std::size_t steps, const Stop& stop);

}  // namespace fovea::synthesis
