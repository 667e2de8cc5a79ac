// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cmath>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/optimize/iteration.h"
#include "fovea/optimize/lbfgs_memory.h"
#include "fovea/optimize/line_search.h"
#include "fovea/optimize/objective.h"
#include "fovea/optimize/stopping.h"
#include "fovea/optimize/vector_ops.h"

namespace fovea::optimize {

struct LbfgsOptions {
  StoppingOptions stopping;
  /// Weight of an L1 penalty l1 |x|_1 on top of the objective; > 0 selects OWL-QN.
  double l1 = 0;
  /// Maximum number of evaluations per line search; use few if gradients are estimates, along which a search may fail.
  int line_search_trials = 30;
  int threads = 1;
};

namespace internal {

/// One run of L-BFGS or OWL-QN, step by step.
///
///   L-BFGS (Nocedal 1980; Liu, Nocedal 1989):  x <- x - t H g,   t by a weak Wolfe line search
///   OWL-QN (Andrew, Gao 2007, "Scalable training of L1-regularized log-linear models"), minimising f + l1 |x|_1:
///     pg   the pseudo-gradient: the subgradient of least norm (their eq. 4)
///     d    = -H pg, zero where its sign is not that of -pg (eq. 5)
///     x   <- pi(x + t d): zero where the sign leaves the orthant of x, or of -pg where x = 0 (eq. 6), t by
///            backtracking until f(x') <= f(x) + 1e-4 pg . (x' - x)
template <Objective F>
class LbfgsRun {
 public:
  using Real = typename F::Real;
  using Clock = std::chrono::steady_clock;

  LbfgsRun(F& objective, std::span<Real> x, std::span<const Real> scale, const LbfgsOptions& options,
           LbfgsState<Real>& state)
      : objective_(objective),
        x_(x),
        scale_(scale),
        l1_(options.l1),
        trials_(options.line_search_trials),
        memory_(state.memory),
        ops_(options.threads),
        gradient_(x.size()),
        trial_(x.size()),
        trial_gradient_(x.size()),
        direction_(x.size()) {
    record_.phase = l1_ > 0 ? "owlqn" : "lbfgs";
    if (!state.objectives.empty()) record_.iteration = static_cast<int>(state.objectives.size()) - 1;
    value_ = evaluate(x_, gradient_);
  }

  IterationRecord record() {
    record_.objective = value_;
    record_.gradient_norm = std::sqrt(ops_.sum(x_.size(), [&](std::size_t i) {
      const double g = pseudo_gradient(i);
      return g * g;
    }));
    record_.parameter_norm = std::sqrt(ops_.template dot<Real>(x_, x_));
    record_.seconds = seconds_since(start_);
    return record_;
  }

  /// Makes one iteration; returns false if no step improves the objective.
  bool advance() {
    ++record_.iteration;
    if (try_direction()) return true;
    if (memory_.size() == 0) return false;
    memory_.clear();  // a stale Hessian may be to blame
    return try_direction();
  }

 private:
  bool try_direction() {
    choose_direction();
    const double slope = ops_.sum(x_.size(), [&](std::size_t i) { return pseudo_gradient(i) * direction_[i]; });
    if (!(slope < 0)) return false;
    const bool plain = memory_.size() == 0 && scale_.empty();
    const double first_step = plain ? 1 / std::sqrt(-slope) : 1.0;
    const bool found = l1_ > 0 ? backtrack(first_step) : search(first_step, slope);
    if (found) accept();
    return found;
  }

  void choose_direction() {
    ops_.each(x_.size(), [&](std::size_t i) { direction_[i] = -static_cast<Real>(pseudo_gradient(i)); });
    memory_.apply_inverse_hessian(direction_, scale_, ops_);
    if (l1_ > 0)
      ops_.each(x_.size(), [&](std::size_t i) {
        if (direction_[i] * pseudo_gradient(i) >= 0) direction_[i] = 0;
      });
  }

  bool search(double first_step, double slope) {
    const LineSearchResult result = search_line(
        {0, value_, slope}, first_step,
        [&](double step) {
          const Real t = static_cast<Real>(step);
          ops_.each(x_.size(), [&](std::size_t i) { trial_[i] = x_[i] + t * direction_[i]; });
          trial_value_ = evaluate(trial_, trial_gradient_);
          return LinePoint{step, trial_value_, ops_.template dot<Real>(trial_gradient_, direction_)};
        },
        trials_);
    record_.step = result.point.step;
    return result.found;
  }

  bool backtrack(double step) {
    for (int trial = 0; trial < trials_; ++trial, step /= 2) {
      const Real t = static_cast<Real>(step);
      ops_.each(x_.size(), [&](std::size_t i) {
        const Real moved = x_[i] + t * direction_[i];
        const Real orthant = x_[i] != 0 ? x_[i] : -static_cast<Real>(pseudo_gradient(i));
        trial_[i] = moved * orthant > 0 ? moved : Real{0};
      });
      trial_value_ = evaluate(trial_, trial_gradient_);
      const double predicted =
          ops_.sum(x_.size(), [&](std::size_t i) { return pseudo_gradient(i) * (double{trial_[i]} - x_[i]); });
      record_.step = step;
      if (predicted < 0 && trial_value_ <= value_ + 1e-4 * predicted) return true;
    }
    return false;
  }

  void accept() {
    auto buffers = memory_.take_buffers(x_.size());
    auto& step = buffers.first;
    auto& change = buffers.second;
    ops_.each(x_.size(), [&](std::size_t i) {
      step[i] = trial_[i] - x_[i];
      change[i] = trial_gradient_[i] - gradient_[i];
      x_[i] = trial_[i];
    });
    memory_.add(std::move(step), std::move(change), ops_);
    gradient_.swap(trial_gradient_);
    value_ = trial_value_;
  }

  double evaluate(std::span<const Real> x, std::span<Real> gradient) {
    ++record_.evaluations;
    const double penalty =
        l1_ > 0 ? l1_ * ops_.sum(x.size(), [&](std::size_t i) { return std::abs(double{x[i]}); }) : 0;
    return objective_.evaluate(x, gradient) + penalty;
  }

  double pseudo_gradient(std::size_t i) const {
    const double g = gradient_[i];
    if (l1_ <= 0) return g;
    if (x_[i] != 0) return x_[i] > 0 ? g + l1_ : g - l1_;
    return g + l1_ < 0 ? g + l1_ : g - l1_ > 0 ? g - l1_ : 0.0;
  }

  F& objective_;
  std::span<Real> x_;
  std::span<const Real> scale_;
  double l1_;
  int trials_;
  LbfgsMemory<Real>& memory_;
  VectorOps ops_;
  Clock::time_point start_ = Clock::now();
  std::vector<Real> gradient_, trial_, trial_gradient_, direction_;
  double value_ = 0, trial_value_ = 0;
  IterationRecord record_;
};

}  // namespace internal

/// Minimises f, or f + l1 |x|_1, from the point in x, which holds the current iterate whenever the observer is called.
///
/// `scale` (empty, or one positive number for each parameter) is a diagonal guess of the inverse Hessian that takes the
/// place of the identity; a good one saves most of the iterations, a bad one costs some. With the `state` of an earlier
/// run and its x, the run continues as if it had not stopped.
///
/// liblbfgs is not used: it keeps its history in double and runs its vector operations on one thread, which for a
/// million parameters costs more memory and time than the rest of training, and it has no place for `scale`.
template <Objective F>
MinimizeSummary minimize_lbfgs(F& objective, std::span<typename F::Real> x, const LbfgsOptions& options,
                               LbfgsState<typename F::Real>& state, std::span<const typename F::Real> scale = {},
                               const IterationObserver& observer = {}) {
  const bool resumed = !state.objectives.empty();
  internal::LbfgsRun<F> run(objective, x, scale, options, state);
  internal::StoppingRule should_stop(options.stopping, observer, state.objectives);
  MinimizeSummary summary;
  summary.last = run.record();
  if (resumed) state.objectives.pop_back();  // it is appended again
  std::optional<Termination> stop = should_stop(summary.last);
  summary.initial_objective = state.objectives.front();
  while (!stop) {
    const bool improved = run.advance();
    summary.last = run.record();
    stop = improved ? should_stop(summary.last) : Termination::kNoImprovement;
  }
  summary.termination = *stop;
  return summary;
}

template <Objective F>
MinimizeSummary minimize_lbfgs(F& objective, std::span<typename F::Real> x, const LbfgsOptions& options = {},
                               std::span<const typename F::Real> scale = {}, const IterationObserver& observer = {}) {
  LbfgsState<typename F::Real> state;
  return minimize_lbfgs(objective, x, options, state, scale, observer);
}

}  // namespace fovea::optimize
