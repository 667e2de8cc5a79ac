// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/progress.h"
#include "fovea/base/stop.h"
#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/program/transition_system.h"

namespace fovea {

struct InvariantSearchOptions {
  int terms = 3, atoms = 3;
  double patience = 2e7;
  std::uint64_t seed = 1;  ///< not described: programs have one of their own

  template <class V>
  static void describe(V&& visit) {
    using O = InvariantSearchOptions;
    visit(&O::terms,
          OptionInfo{.name = "terms", .description = "Disjuncts of the first formulas", .min = 1, .max = 16});
    visit(&O::atoms,
          OptionInfo{.name = "atoms", .description = "Comparisons of a disjunct, at first", .min = 1, .max = 16});
    visit(&O::patience,
          OptionInfo{.name = "patience",
                     .description = "Steps without a formula that fits, after which larger ones are tried",
                     .min = 1e3,
                     .max = 1e12});
  }
};

struct InvariantAnswer {
  /// kInfeasible: some run reaches a state that is not allowed. kUnknown: stopped, or the solver gave up.
  enum class Outcome { kProved, kInfeasible, kUnknown };

  Outcome outcome = Outcome::kUnknown;
  Dnf invariant = {};                             ///< kProved; else the last candidate
  std::string body = {};                          ///< kProved: of an SMT-LIB define-fun
  std::optional<ProgramState> unsafe_start = {};  ///< kInfeasible: a start state of such a run, itself allowed or not
  bool is_start_allowed = false;                  ///< kInfeasible: the run leaves the allowed states only later
  std::uint64_t rounds = 0, examples = 0;         ///< candidates tested; states and implications that they taught
  std::uint64_t search_steps = 0, solver_calls = 0;
  double solver_seconds = 0;
};

/// Looks for an inductive invariant by examples (Garg et al. 2014, "ICE: a robust framework for learning invariants"):
/// a formula in disjunctive normal form that errs on no example is found by DnfSearch, over comparisons that the
/// program's text suggests; Z3 tests it and answers with states at which it fails; they become examples. What is proved
/// has been read again, as text, by a fresh Z3. The same seed gives the same candidates as long as no call of the
/// solver is cut short and no limit of time is hit.
InvariantAnswer find_invariant(const TransitionSystem& system, const InvariantSearchOptions& options, const Stop& stop,
                               const ProgressFunction& progress = {});

}  // namespace fovea
