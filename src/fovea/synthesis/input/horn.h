// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/synthesis/input/s_expression.h"
#include "fovea/synthesis/program/invariant_problem.h"

namespace fovea::synthesis {

/// Reads constrained Horn clauses in SMT-LIB, as CHC-COMP has them:
///
///   (set-logic HORN)
///   (declare-fun P (Int Bool) Bool)                                 ; any number of predicates
///   (assert (forall ((x Int) (y Int)) (=> (and (P x true) (= y (+ x 1))) (P y true))))
///   (check-sat)
///
/// The problem's text is the file's own. It has a loop if each clause has one predicate in its body at most, and terms
/// are those that read_problem takes. Throws InputError for commands that belong to another language.
InvariantProblem read_horn(const SExpressions& file);

}  // namespace fovea::synthesis
