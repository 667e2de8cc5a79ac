// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run_control.h"
#include "fovea/synthesis/formula_search/dnf_search.h"
#include "fovea/synthesis/program/invariant_problem.h"
#include "fovea/synthesis/program/term.h"
#include "fovea/synthesis/verify/program_runs.h"

namespace fovea::synthesis {

struct InvariantSearchOptions {
  int terms = 3, atoms = 3;
  SearchStages stages = SearchStages::kPortfolio;
  double patience = 2e7;
  bool no_clauses = false, no_spacer = false;
  std::uint64_t seed = 1;  ///< not described: programs have an option of their own

  static void describe(auto&& visit) {
    using O = InvariantSearchOptions;
    visit(&O::terms, number_in(1, 16, "terms", "Disjuncts of the first formulas."));
    visit(&O::atoms, number_in(1, 16, "atoms", "Comparisons in a disjunct of these."));
    visit(&O::stages, option("stages", "Chains that look for formulas, as in 'synth dnf'."));
    visit(&O::patience,
          number_in(1e3, 1e12, "patience", "Steps without a formula that fits, after which larger ones are tried."));
    visit(&O::no_clauses,
          option("no-clauses", "Use the chain of formulas alone, without what runs of the program suggest."));
    visit(&O::no_spacer, option("no-spacer", "Leave out Z3's own search, which runs in a second thread."));
  }
};

struct InvariantAnswer {
  ProgramVerdict verdict = ProgramVerdict::kUnknown;
  bool is_spacers = false;                 ///< Z3's Spacer found the answer
  std::vector<std::string> bodies = {};    ///< kProved: of an SMT-LIB define-fun, by predicate
  UnsafeRun unsafe_run = {};               ///< kInfeasible: the run; empty if Spacer proved it and none was found soon
  std::uint64_t rounds = 0, examples = 0;  ///< candidates tested; states and implications learned from them
  std::uint64_t search_steps = 0, solver_calls = 0;
  double solver_seconds = 0;
};

/// Looks for predicates that satisfy the problem's clauses (for one loop: an inductive invariant that proves it), in
/// two ways at once, each in a thread: by formulas that fit examples (find_by_counterexamples) in this one, and by
/// Spacer (spacer.h) in another. The first answer counts. Predicates have been read again, as text, by a fresh Z3; a
/// run that rules them out has been evaluated, or Spacer has proved that such a run exists. A problem without a loop is
/// left to Spacer. Throws InputError for clauses that Z3 does not read.
InvariantAnswer find_invariant(const InvariantProblem& problem, const InvariantSearchOptions& options, const Stop& stop,
                               const ProgressFunction& progress = {});

/// Looks for an inductive invariant by examples (Garg et al. 2014, "ICE: a robust framework for learning invariants"):
/// DnfSearch finds a formula in disjunctive normal form that errs on no example, over comparisons that the program's
/// text suggests; Z3 tests it and answers with states at which it fails; they become examples. Examples that contradict
/// each other form an unsafe run. If the search takes long, clauses that runs of the program suggest and that are
/// inductive by themselves (inductive_clauses.h) are known from then on. The same seed gives the same candidates as
/// long as no call of the solver is cut short and no time limit is hit. The problem must have a loop.
InvariantAnswer find_by_counterexamples(const InvariantProblem& problem, const InvariantSearchOptions& options,
                                        const Stop& stop, const ProgressFunction& progress = {});

}  // namespace fovea::synthesis
