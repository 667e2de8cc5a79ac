// SPDX-License-Identifier: Apache-2.0
#include "fovea/optimize/iteration.h"

#include <fmt/format.h>

namespace fovea::optimize {

std::string MinimizeSummary::brief() const {
  if (termination == Termination::kNotRun) return "not run";
  return fmt::format(
      "{}: {} after {} iterations, {} evaluations, {:.2f} s: objective {:.6g} -> {:.6g}, |gradient| {:.3g}", last.phase,
      to_string(termination), last.iteration, last.evaluations, last.seconds, initial_objective, last.objective,
      last.gradient_norm);
}

}  // namespace fovea::optimize
