// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// One line of SMT-LIB, and where it was read.
struct ScriptLine {
  std::string text;
  InputLocation place = {};
};

/// Constrained Horn clauses (Bjorner, Gurfinkel, McMillan, Rybalchenko 2015, "Horn clause solvers for program
/// verification"): predicates are to be found such that all clauses hold. The text is SMT-LIB; terms may be of any
/// sort.
struct HornClauses {
  struct Predicate {
    std::string name;                     ///< as the file writes it
    std::string symbol;                   ///< as the clauses write it
    std::vector<std::string> parameters;  ///< names of its arguments, for definitions; each once
    std::vector<std::string> sorts;       ///< of these
  };
  std::vector<Predicate> predicates;
  std::vector<ScriptLine> definitions;  ///< commands that define what the clauses use
  std::vector<ScriptLine> clauses;      ///< closed Boolean terms over the predicates
};

/// "(x Int) (y Bool)"
std::string parameter_text(const HornClauses::Predicate& predicate);

/// Predicates that are to be found, of one loop or of several; a loop too where one can say the same.
struct InvariantProblem {
  HornClauses clauses;
  /// The same predicates and clauses in the words of a file of another language, which solvers may find easier. It may
  /// have names that SMT-LIB gives another meaning, so that answers are checked by `clauses`.
  std::optional<HornClauses> own_words = {};
  /// The states of all predicates as those of one loop, for searches by examples. None if clauses have several
  /// predicates in their bodies, or terms beyond those of TermPool.
  std::optional<TransitionSystem> loop = {};
  std::string why_no_loop = {};  ///< the reason, if `loop` is empty
  /// [predicate][parameter]: its variable in the loop's state. The other variables are 0 (false) in its states.
  std::vector<std::vector<std::size_t>> slots = {};
  /// The variable of the state that says which predicate it belongs to, where there are several.
  std::optional<std::size_t> location = {};

  InvariantProblem() = default;
  /// One loop, with one predicate, in the words of SMT-LIB.
  InvariantProblem(TransitionSystem system);
};

}  // namespace fovea::synthesis
