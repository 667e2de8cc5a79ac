// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/synthesis/invariant/invariant_search.h"
#include "fovea/synthesis/program/invariant_problem.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// The limit of a LoopJob.
struct LoopOptions {
  std::string time_limit = "";

  static void describe(auto&& visit) { visit(&LoopOptions::time_limit, time_limit_option()); }

  /// Seconds from the start of the run on. Throws UsageError for a limit that cannot be read.
  double seconds() const;
};

/// A search for a proof.
struct LoopJob {
  InvariantSearchOptions search = {};  ///< the run's random stream sets the seed
  LoopOptions options = {};
};

/// The result of a search for an inductive invariant, and the work that it took.
struct LoopProof {
  InvariantAnswer answer = {};
  std::string definition = "";               ///< kProved: the predicates as define-funs, a line or two each
  bool is_loop = true;                       ///< else clauses that do not form one: there is never a run
  std::vector<std::string> unsafe_run = {};  ///< kInfeasible: the states of answer.unsafe_run, "x = 3, n = 0"
  double seconds = 0;                        ///< since the start of the run
  InvariantSearchOptions search = {};        ///< as it ran

  /// Counts of the work, in one line.
  std::string work() const;
  /// kProved: who found the invariant, and the work.
  std::string brief() const;
  /// kInfeasible: the whole run that breaks the postcondition if it is short, otherwise its beginning and its end.
  std::string unsafe_text() const;
  /// Everything, as one object.
  std::string json() const;
};

/// "x = 3, n = 0", with the name of its predicate before it if the problem has several: "inv2: x = 3, n = 0".
std::string state_text(const InvariantProblem& problem, const ProgramState& state);

/// Looks for predicates that satisfy the problem's clauses: an inductive invariant that proves a loop (find_invariant).
/// Without a limit it ends after 60 seconds. `problem` is often read by read_problem, from a file or from memory.
/// Throws UsageError for options that are not valid.
LoopProof prove_loop(const InvariantProblem& problem, LoopJob job, const Run& run);

}  // namespace fovea::synthesis
