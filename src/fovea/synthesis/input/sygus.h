// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/io/stream.h"
#include "fovea/synthesis/program/invariant_problem.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// Reads an invariant problem of the SyGuS competitions (track Inv), version 1 or 2 of the language, into its loop:
///
///   (set-logic LIA)
///   (synth-inv NAME ((x Int) (b Bool) ...))
///   (declare-primed-var x Int)                                      ; version 1, not needed
///   (declare-var u Int)                                             ; an input, unless it is a variable of the state
///   (define-fun PRE ((x Int) ...) Bool TERM)                        ; any number of functions, each before its use
///   (inv-constraint NAME PRE TRANS POST)
///   (check-synth)
///
/// TERMs are linear: numbers, true, false, parameters, inputs, defined functions, let, ite, and or not => xor, =
/// distinct < <= > >=, + - abs, and * div mod with a number. Throws InputError (file:line: column) for anything else,
/// with what it is and what would be accepted: commands, logics and sorts not named here, products of variables,
/// unknown names, wrong numbers or sorts of arguments, numbers beyond 10^15, and definitions that expand to more than
/// two million terms.
TransitionSystem read_sygus(io::ByteSource source);

/// Reads a problem in the language of SyGuS, as above, or in Horn clauses of SMT-LIB (read_horn), whichever it is. The
/// clauses of the former are in the file's own words, which a solver may read faster than others.
InvariantProblem read_problem(io::ByteSource source);

/// The same problem in version 2 of the language, with all terms written out, however often they are shared;
/// read_sygus reads it back.
std::string sygus_text(const TransitionSystem& system);

}  // namespace fovea::synthesis
