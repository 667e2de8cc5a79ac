// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// A strong Doeblin chain (Steinhardt and Liang 2015, "Learning fast-mixing models for structured prediction", equation
/// (2)): with probability epsilon a state is drawn afresh from u, otherwise it moves on by A,
///
///   A~ = (1 - epsilon) A + epsilon u 1^T.
///
/// Its stationary law, pi~ = epsilon (I - (1 - epsilon) A)^-1 u (equation (3)), is between u and that of A; the
/// spectral gap of A~ is at least epsilon (proposition 3.1).
///
///   restart(state, random)     overwrites the state with a draw from u, which does not depend on the past
///   transition(state, random)  makes one step of A, which may be any kernel of Fovea
template <class Restart, class Transition>
class RestartKernel {
 public:
  using TargetLaw = OwnStationaryLaw;

  /// `epsilon` in (0, 1].
  RestartKernel(Restart restart, Transition transition, double epsilon)
      : restart_(std::move(restart)), transition_(std::move(transition)), epsilon_(epsilon) {
    FOVEA_CHECK(epsilon > 0 && epsilon <= 1);
  }

  double epsilon() const { return epsilon_; }

  /// One step of A~.
  template <class State, class Random>
  void step(State& state, Random& random) {
    if (random.bernoulli(epsilon_)) restart_(state, random);
    else transition_(state, random);
  }

  /// An exact draw from pi~, whatever the state was: from u, T ~ Geometric(epsilon) steps of A (proposition 3.2).
  /// Returns T, which is 1 / epsilon - 1 on average.
  template <class State, class Random>
  std::uint64_t draw(State& state, Random& random) {
    restart_(state, random);
    std::uint64_t steps = 0;
    for (; !random.bernoulli(epsilon_); ++steps) transition_(state, random);
    return steps;
  }

 private:
  Restart restart_;
  Transition transition_;
  double epsilon_;
};

/// Adds restarts to `transition`.
template <class Transition, class Restart>
RestartKernel<Restart, Transition> with_restarts(Transition transition, Restart restart, double epsilon) {
  return {std::move(restart), std::move(transition), epsilon};
}

/// The restart rate epsilon, among 1, 1/sqrt(2), 1/2 .. 1/256, with the best expected gain per unit of work,
///
///   (score(epsilon) - score(1)) / (start_cost + 1 / epsilon - 1),
///
/// where score(epsilon) is the expected score of a draw from the chain's stationary law (which is u for epsilon = 1), a
/// start costs `start_cost` >= 0 steps, and 1 / epsilon - 1 steps follow it on average. Returns 1 if steps never gain.
inline double best_restart_rate(const std::function<double(double epsilon)>& score, double start_cost) {
  constexpr int kRatesTried = 16;  // below 1, each 1/sqrt(2) of the one before
  const double start_score = score(1);
  double best_rate = 1, best_gain = 0;
  for (int i = 1; i <= kRatesTried; ++i) {
    const double epsilon = std::exp2(-.5 * i);
    const double gain = (score(epsilon) - start_score) / (start_cost + 1 / epsilon - 1);
    if (!(gain > best_gain)) continue;
    best_gain = gain;
    best_rate = epsilon;
  }
  return best_rate;
}

}  // namespace fovea::mcmc
