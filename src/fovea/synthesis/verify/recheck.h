// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// True if `body`, the text of a Boolean SMT-LIB term over the program's variables, is an inductive invariant that
/// proves the program: a fresh Z3 reads it, with the program's conditions, as SMT-LIB text, so that nothing is shared
/// with what found it. False if Z3 refutes it, or has not answered when `stop` asks to end.
bool is_proved_by(const TransitionSystem& system, const std::string& body, const Stop& stop = {});

/// True if a condition can be true (or false, if that is wanted) in a state, or before and after a step, for some
/// inputs: `state` has the values of its variables. Found by a fresh Z3 from SMT-LIB text, as above;
/// false as well if it has not answered when `stop` asks to end.
bool can_be(const TransitionSystem& system, TermId term, bool wanted, std::span<const std::int64_t> state,
            const Stop& stop = {});

/// The three conditions, each as one SMT-LIB script that is unsatisfiable if the condition holds.
std::string start_condition_text(const TransitionSystem& system, const std::string& body);
std::string step_condition_text(const TransitionSystem& system, const std::string& body);
std::string end_condition_text(const TransitionSystem& system, const std::string& body);

}  // namespace fovea::synthesis
