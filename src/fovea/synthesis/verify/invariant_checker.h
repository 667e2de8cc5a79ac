// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// Tests candidates for an inductive invariant I of one program by Z3, and shows by states why they fail:
///
///   pre(x) and not I(x)                       x is a good state: every invariant holds there
///   I(x) and not post(x)                      x is a bad state: no invariant holds there
///   I(x) and trans(x, x') and not I(x')       an implication: an invariant that holds at x holds at x'
///
/// Each of the three conditions has its own solver, which keeps what it has learned. States are small if small ones
/// exist; those that do not fit into 64 bits are not reported. For one thread at a time.
class InvariantChecker {
 public:
  enum class Outcome { kHolds, kFails, kUnknown };

  struct Implication {
    ProgramState from, to;
  };

  struct Verdict {
    Outcome outcome = Outcome::kUnknown;  ///< kUnknown: some condition timed out, and none failed
    std::vector<ProgramState> good = {}, bad = {};
    std::vector<Implication> implications = {};
  };

  /// `system` must outlive the checker. States with all numbers from -small to small are preferred.
  InvariantChecker(const TransitionSystem& system, std::int64_t small);
  ~InvariantChecker();

  /// Limits each call of the solver; once `stop` asks to end, no call begins and a running one ends soon.
  void limit(const Stop& stop, unsigned milliseconds_per_call);

  /// From now on I is the candidate and these clauses, which are inductive by themselves.
  void assume(std::span<const Clause> clauses);

  /// Tests a candidate: for every disjunct, one step and one bad state are sought, and up to `alternatives` more of
  /// each kind that differ from the first.
  Verdict check(const Dnf& candidate, int alternatives = 0);

  /// Result of the search for a start state that is not allowed, which rules out an invariant. kFails: `state` is one,
  /// if it fits into 64 bits. kHolds: no such state exists.
  struct StartVerdict {
    Outcome outcome = Outcome::kUnknown;
    std::optional<ProgramState> state = {};
  };
  StartVerdict check_start();

  /// Number of calls of the solver so far, and the seconds spent in them.
  std::uint64_t calls() const;
  double seconds() const;

 private:
  struct Solvers;
  std::unique_ptr<Solvers> solvers_;
};

}  // namespace fovea::synthesis
