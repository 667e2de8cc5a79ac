// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fovea/synthesis/input/s_expression.h"
#include "fovea/synthesis/program/invariant_problem.h"

namespace fovea::synthesis {

/// The clauses of a problem of SyGuS, from the words of its file: `problem` was read from it without errors. Functions
/// that use inputs get them as further parameters. None if a name means a parameter here and an input there.
std::optional<HornClauses> own_words(const SExpressions& file, const InvariantProblem& problem);

}  // namespace fovea::synthesis
