// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/synthesis/input/s_expression.h"
#include "fovea/synthesis/program/invariant_problem.h"

namespace fovea::synthesis {

/// Gives a problem in Horn clauses, read from this file, its loop. A state is a predicate and its arguments; clauses
/// without a predicate in the body are starts, those with one in body and head are steps, and those that end in false
/// say which states are not allowed. Arguments of one sort share variables, by their order. Names the predicates'
/// parameters. Throws InputError with the reason if the problem has no such loop.
void encode_as_loop(const SExpressions& file, InvariantProblem& problem);

}  // namespace fovea::synthesis
