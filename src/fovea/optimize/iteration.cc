// SPDX-License-Identifier: Apache-2.0
#include "fovea/optimize/iteration.h"

#include <fmt/format.h>

namespace fovea::optimize {

std::string_view to_string(Termination termination) {
  switch (termination) {
    case Termination::kNotRun:
      return "not run";
    case Termination::kConverged:
      return "converged";
    case Termination::kIterations:
      return "iteration limit";
    case Termination::kStopped:
      return "stopped by the caller";
    case Termination::kNoImprovement:
      return "no further improvement";
    case Termination::kNotFinite:
      return "objective not finite";
  }
  return "unknown";
}

std::string MinimizeSummary::brief() const {
  if (termination == Termination::kNotRun) return "not run";
  return fmt::format(
      "{}: {} after {} iterations, {} evaluations, {:.2f} s: objective {:.6g} -> {:.6g}, |gradient| {:.3g}", last.phase,
      to_string(termination), last.iteration, last.evaluations, last.seconds, initial_objective, last.objective,
      last.gradient_norm);
}

}  // namespace fovea::optimize
