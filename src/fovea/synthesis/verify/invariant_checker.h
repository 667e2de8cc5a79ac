// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fovea/synthesis/program/transition_system.h"
#include "fovea/synthesis/verify/clause.h"

namespace fovea {

/// Tests candidates for an inductive invariant I of one program by Z3, and says with states why they fail:
///
///   pre(x) and not I(x)                       x is a good state: every invariant holds there
///   I(x) and not post(x)                      x is a bad state: no invariant holds there
///   I(x) and trans(x, x') and not I(x')       an implication: an invariant that holds at x holds at x'
///
/// Clauses that have been found invariant can be added as facts: then I stands for "facts and candidate". One solver for
/// each of the three conditions keeps what it has learned. States are small where small ones exist; what does not fit 64
/// bits is not reported. Belongs to one thread at a time but for interrupt().
class InvariantChecker {
 public:
  enum class Outcome { kHolds, kFails, kUnknown };

  struct Implication {
    ProgramState from, to;
  };

  struct Verdict {
    Outcome outcome = Outcome::kUnknown;  ///< kUnknown: some condition timed out or was interrupted, and none failed
    std::vector<ProgramState> good = {}, bad = {};
    std::vector<Implication> implications = {};
  };

  /// `system` must outlive the checker. States with all numbers from -small to small are preferred.
  InvariantChecker(const TransitionSystem& system, std::int64_t small);
  ~InvariantChecker();

  /// No single call of the solver takes longer; at least 1.
  void set_milliseconds_per_call(unsigned milliseconds);

  /// Tests a candidate: for every disjunct one step and one bad state is sought, and up to `alternatives` more of each
  /// kind that differ from the first.
  Verdict check(const Dnf& candidate, int alternatives = 0);

  /// A start state that is not allowed, in which case there is no invariant. kFails: `state` is one. kHolds: none.
  struct StartVerdict {
    Outcome outcome = Outcome::kUnknown;
    std::optional<ProgramState> state = {};
  };
  StartVerdict check_start();

  /// Which of the clauses make up the largest set that is inductive together with the facts; none where the solver
  /// gives up. All clauses hold at start states or are dropped.
  std::vector<bool> inductive_subset(std::span<const Clause> clauses);

  /// From now on these hold. They must be inductive together with the facts before.
  void add_facts(std::span<const Clause> facts);

  /// Whether the facts alone exclude all states that are not allowed.
  Outcome facts_suffice();

  /// Makes the call of the solver that is under way, and all further ones, give up. From any thread.
  void interrupt();

  /// Calls of the solver so far, and the seconds in them.
  std::uint64_t calls() const;
  double seconds() const;

 private:
  struct Solvers;
  std::unique_ptr<Solvers> solvers_;
};

}  // namespace fovea
