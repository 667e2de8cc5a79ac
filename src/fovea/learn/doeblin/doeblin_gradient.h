// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/learn/doeblin/run_length.h"

namespace fovea {

/// The two chains of a strong Doeblin chain as functions of weights theta: u, from which it restarts, and A, by which
/// it moves on. An output y may be a state, or a set S_y of states (an alignment z is latent, y = y(z)): then what is
/// asked of an output are sums over S_y. Log domain.
///
///   draw_start(random) -> State            from u
///   draw_step(state, random) -> State      from A(. | state)
///   log_start(y), log_step(y, from)        log u(S_y), log A(S_y | from); -inf where there is no way
///   add_start_gradient(y, scale, g)        g += scale d log u(S_y) / d theta; y an output, or a state
///   add_step_gradient(y, from, scale, g)   the same of log A(S_y | from)
template <class Model, class Output, class Random>
concept DoeblinModel = requires(const Model& model, const Output& y, const typename Model::State& state, Random& random,
                                double scale, std::span<double> gradient) {
  { model.draw_start(random) } -> std::same_as<typename Model::State>;
  { model.draw_step(state, random) } -> std::same_as<typename Model::State>;
  { model.log_start(y) } -> std::convertible_to<double>;
  { model.log_step(y, state) } -> std::convertible_to<double>;
  model.add_start_gradient(y, scale, gradient);
  model.add_start_gradient(state, scale, gradient);
  model.add_step_gradient(y, state, scale, gradient);
  model.add_step_gradient(state, state, scale, gradient);
};

/// Of log p(y), p the stationary law of the chain with restarts, from k runs.
class DoeblinGradient {
 public:
  explicit DoeblinGradient(std::size_t weights) : sum_(weights) {}

  /// E[mass() of one run] = p(y): an unbiased estimate of the likelihood, whose logarithm is biased low. 0 if no run
  /// could have ended in y.
  double mass() const { return runs_ == 0 ? 0 : mass_ / static_cast<double>(runs_); }
  /// Of mass(), by the runs' variance. Two runs at least.
  double mass_error() const;
  std::uint64_t runs() const { return runs_; }
  std::uint64_t transitions() const { return transitions_; }

  /// sum over runs / mass of all runs: asymptotically unbiased in k. None (zeros) without mass.
  std::vector<double> gradient() const;
  /// [weight] sum over runs, of which each has the expectation d p(y) / d theta, without bias.
  std::span<const double> sum() const { return sum_; }

  /// Adds a run: algorithm 1 of Steinhardt and Liang (2015) with the sum over the whole path that it needs (lemma 4.2;
  /// as printed, transitions before the last are left out). With w_0 = c_0 u(y), w_t = c_t A(y | y_{t-1}), c_t =
  /// epsilon (1 - epsilon)^t / q(t), and W_s = sum over t >= s of w_t,
  ///
  ///   Z += W_0
  ///   g += w_0 d log u(y) + W_1 d log u(y_0) + sum over t = 1 .. T: w_t d log A(y | y_{t-1})
  ///        + sum over s = 1 .. T - 1: W_{s+1} d log A(y_s | y_{s-1})
  ///
  /// in O(T). `length` says how long it is and what c_t are.
  template <class Model, class Output, class Random>
  requires DoeblinModel<Model, Output, Random>
  void add_run(const Model& model, const Output& y, const RunLength& length, Random& random) {
    const std::uint64_t last = length.draw(random);
    std::vector<typename Model::State> path;  // y_0 .. y_{T-1}
    std::vector<double> weights = {length.weight(0, last) * std::exp(model.log_start(y))};
    for (std::uint64_t t = 1; t <= last; ++t) {
      path.push_back(path.empty() ? model.draw_start(random) : model.draw_step(path.back(), random));
      weights.push_back(length.weight(t, last) * std::exp(model.log_step(y, path.back())));
    }
    add_path(model, y, path, weights);
  }

 private:
  template <class Model, class Output, class State>
  void add_path(const Model& model, const Output& y, const std::vector<State>& path,
                const std::vector<double>& weights) {
    double rest = 0;  // W_{t+1}
    for (std::size_t t = path.size(); t > 0; --t) {
      if (weights[t] > 0) model.add_step_gradient(y, path[t - 1], weights[t], sum_);
      if (rest > 0) model.add_step_gradient(path[t], path[t - 1], rest, sum_);
      rest += weights[t];
    }
    if (weights[0] > 0) model.add_start_gradient(y, weights[0], sum_);
    if (rest > 0) model.add_start_gradient(path[0], rest, sum_);
    count(rest + weights[0], path.size());
  }

  void count(double mass, std::size_t transitions) {
    ++runs_;
    mass_ += mass;
    squares_ += mass * mass;
    transitions_ += transitions;
  }

  std::vector<double> sum_;
  double mass_ = 0, squares_ = 0;
  std::uint64_t runs_ = 0, transitions_ = 0;
};

}  // namespace fovea
