// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// States that runs of the program visit, each once: `runs` runs from start states as different as a solver finds them,
/// of at most `steps` steps each. Every invariant holds in all these states. Fewer if `stop` asks to end; states that
/// do not fit into 64 bits are left out.
std::vector<ProgramState> walk_states(const TransitionSystem& system, int runs, int steps, const Stop& stop,
                                      Random random);

/// A run from a start state to one that is not allowed, which shows that no invariant exists.
using UnsafeRun = std::vector<ProgramState>;

/// True if `run` is an unsafe run. Evaluates the program's conditions, or, where they have inputs, asks a fresh Z3 for
/// these; shares nothing with what found the run. False if `stop` asks to end before that is known.
bool is_unsafe_run(const TransitionSystem& system, std::span<const ProgramState> run, const Stop& stop = {});

/// Looks for a shortest unsafe run by unrolling the program step after step in Z3 (bounded model checking; Biere et al.
/// 1999, "Symbolic model checking without BDDs"). Empty if none of at most `steps` steps, with numbers of 64 bits, was
/// found before `stop` asked to end.
UnsafeRun find_unsafe_run(const TransitionSystem& system, std::size_t steps, const Stop& stop);

}  // namespace fovea::synthesis
