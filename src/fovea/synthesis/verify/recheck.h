// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/program/invariant_problem.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// True if these predicates satisfy all clauses: bodies[i] is the text of a Boolean SMT-LIB term over the parameters of
/// predicate i. A fresh Z3 reads them, with the clauses, as SMT-LIB text, so that nothing is shared with what found
/// them. False if Z3 refutes a clause, or has not answered when `stop` asks to end.
bool are_satisfied_by(const HornClauses& clauses, std::span<const std::string> bodies, const Stop& stop = {});

/// The same for a loop and its invariant.
bool is_proved_by(const TransitionSystem& system, const std::string& body, const Stop& stop = {});

/// True if a condition can be true (or false, if that is wanted) in a state, or before and after a step, for some
/// inputs: `state` has the values of its variables. Found by a fresh Z3 from SMT-LIB text, as above;
/// false as well if it has not answered when `stop` asks to end.
bool can_be(const TransitionSystem& system, TermId term, bool wanted, std::span<const std::int64_t> state,
            const Stop& stop = {});

/// Z3's message about the first line that it cannot read; nothing if it reads the clauses.
std::optional<ScriptLine> unread_line(const HornClauses& clauses);

/// A body for predicate `predicate` from the text of an invariant of the problem's loop, simplified by Z3.
std::string body_of(const InvariantProblem& problem, std::size_t predicate, const std::string& invariant);

}  // namespace fovea::synthesis
