// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "fovea/synthesis/program/transition_system.h"

namespace fovea {

/// Z3's engine for constrained Horn clauses (Komuravelli, Gurfinkel, Chaki 2014, "SMT-based model checking for
/// recursive programs") on one program: the unknown predicate is the invariant. It has its own Z3 context, so it may
/// run in a thread beside other solvers.
class Spacer {
 public:
  enum class Outcome { kProved, kInfeasible, kUnknown };

  struct Answer {
    Outcome outcome = Outcome::kUnknown;  ///< kInfeasible: some run reaches a state that is not allowed
    std::string body = {};                ///< kProved: the body of an SMT-LIB define-fun; not yet checked again
    double seconds = 0;
  };

  explicit Spacer(const TransitionSystem& system);  // `system` must outlive it
  ~Spacer();

  /// Gives up after `milliseconds`, or when interrupted.
  Answer solve(unsigned milliseconds);

  /// Ends solve() soon, or at its beginning. From any thread.
  void interrupt();

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace fovea
