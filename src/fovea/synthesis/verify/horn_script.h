// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <z3++.h>

#include <string>

#include "fovea/synthesis/program/invariant_problem.h"

namespace fovea::synthesis {

/// The problem's definitions, and its predicates as functions that are not known: a line each.
std::string declarations(const HornClauses& clauses);

/// An expression on one line.
std::string one_line(const z3::expr& expression);

}  // namespace fovea::synthesis
