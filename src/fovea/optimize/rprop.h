// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/optimize/objective.h"
#include "fovea/optimize/stopping.h"
#include "fovea/optimize/vector_ops.h"

namespace fovea::optimize {

struct RpropOptions {
  StoppingOptions stopping;
  double initial_step = .1;
  double min_step = 1e-8;
  double max_step = 5;
  double increase = 1.2;  ///< factor of a parameter's step while its gradient keeps its sign
  double decrease = .5;   ///< factor of the step when the sign changes
  int threads = 1;
};

/// Rprop- (Riedmiller, Braun 1993, without weight backtracking, as in Igel, Huesken 2003): each parameter moves against
/// the sign of its gradient by a step of its own. It needs no line search, and no memory beyond one step per parameter;
/// the objective need not decrease in every iteration. x ends at the last iterate.
template <Objective F>
MinimizeSummary minimize_rprop(F& objective, std::span<typename F::Real> x, const RpropOptions& options = {},
                               const IterationObserver& observer = {}) {
  using Real = typename F::Real;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const internal::VectorOps ops(options.threads);
  std::vector<double> objectives;
  internal::StoppingRule should_stop(options.stopping, observer, objectives);
  std::vector<Real> gradient(x.size()), previous(x.size()), step(x.size(), static_cast<Real>(options.initial_step));
  MinimizeSummary summary;
  summary.last.phase = "rprop";
  for (;; ++summary.last.iteration) {
    IterationRecord& record = summary.last;
    record.objective = objective.evaluate(x, gradient);
    record.evaluations = record.iteration + 1;
    record.gradient_norm = std::sqrt(ops.dot<Real>(gradient, gradient));
    record.parameter_norm = std::sqrt(ops.dot<Real>(x, x));
    record.seconds = seconds_since(start);
    if (record.iteration == 0) summary.initial_objective = record.objective;
    if (const auto stop = should_stop(record)) {
      summary.termination = *stop;
      return summary;
    }
    ops.each(x.size(), [&](std::size_t i) {
      const Real agreement = gradient[i] * previous[i];
      const double factor = agreement > 0 ? options.increase : agreement < 0 ? options.decrease : 1;
      step[i] = static_cast<Real>(std::clamp(step[i] * factor, options.min_step, options.max_step));
      if (gradient[i] != 0) x[i] -= std::copysign(step[i], gradient[i]);
    });
    gradient.swap(previous);
  }
}

}  // namespace fovea::optimize
