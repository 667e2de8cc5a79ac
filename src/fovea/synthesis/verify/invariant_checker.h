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

/// Tests candidates for an inductive invariant I of one program by Z3, and says with states why they fail:
///
///   pre(x) and not I(x)                       x is a good state: every invariant holds there
///   I(x) and not post(x)                      x is a bad state: no invariant holds there
///   I(x) and trans(x, x') and not I(x')       an implication: an invariant that holds at x holds at x'
///
/// One solver for each of the three conditions keeps what it has learned. States are small where small ones exist; what
/// does not fit 64 bits is not reported. Belongs to one thread at a time.
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

  /// No single call of the solver takes longer; once `stop` asks to end, none begins and one that runs ends soon.
  void limit(const Stop& stop, unsigned milliseconds_per_call);

  /// From now on I is the candidate and these clauses, which are inductive by themselves.
  void assume(std::span<const Clause> clauses);

  /// Tests a candidate: for every disjunct one step and one bad state is sought, and up to `alternatives` more of each
  /// kind that differ from the first.
  Verdict check(const Dnf& candidate, int alternatives = 0);

  /// A start state that is not allowed, in which case there is no invariant. kFails: `state` is one. kHolds: none.
  struct StartVerdict {
    Outcome outcome = Outcome::kUnknown;
    std::optional<ProgramState> state = {};
  };
  StartVerdict check_start();

  /// Calls of the solver so far, and the seconds in them.
  std::uint64_t calls() const;
  double seconds() const;

 private:
  struct Solvers;
  std::unique_ptr<Solvers> solvers_;
};

}  // namespace fovea::synthesis
