// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "tests/support/markov_matrix.h"

namespace fovea::testing {

/// A DoeblinModel of a few states with a weight for every probability: u and each row of A are softmaxes of their own.
/// An output is a single state, or a set of states given as a mask.
class SoftmaxSequence {
 public:
  using State = std::uint32_t;
  struct Output {
    std::vector<bool> states;
  };

  /// theta: n weights of u, then n of each row of A.
  SoftmaxSequence(std::size_t states, std::vector<double> theta) : states_(states), theta_(std::move(theta)) {
    u_ = softmax(0);
    for (std::size_t from = 0; from < states; ++from) rows_.push_back(softmax(states * (from + 1)));
  }
  static SoftmaxSequence random(std::size_t states, Random& random) {
    std::vector<double> theta(states * (states + 1));
    for (double& weight : theta) weight = 1.5 * random.normal();
    return {states, std::move(theta)};
  }

  std::size_t weight_count() const { return theta_.size(); }
  const std::vector<double>& theta() const { return theta_; }

  template <class R>
  State draw_start(R& random) const {
    return random.categorical(std::span<const double>(u_));
  }
  template <class R>
  State draw_step(State from, R& random) const {
    return random.categorical(std::span<const double>(rows_[from]));
  }
  double log_start(const Output& y) const { return std::log(within(u_, y)); }
  double log_step(const Output& y, State from) const { return std::log(within(rows_[from], y)); }
  void add_start_gradient(const Output& y, double scale, std::span<double> g) const { add(u_, y, scale, g.data()); }
  void add_start_gradient(State y, double scale, std::span<double> g) const { add(u_, single(y), scale, g.data()); }
  void add_step_gradient(const Output& y, State from, double scale, std::span<double> g) const {
    add(rows_[from], y, scale, g.data() + states_ * (from + 1));
  }
  void add_step_gradient(State y, State from, double scale, std::span<double> g) const {
    add_step_gradient(single(y), from, scale, g);
  }

  Output single(State y) const {
    Output output{std::vector<bool>(states_)};
    output.states[y] = true;
    return output;
  }

  /// p(S_y), p = epsilon (I - (1 - epsilon) A)^-1 u by its series.
  double probability(const Output& y, double epsilon) const {
    Law law = u_;
    double sum = 0;
    for (double weight = epsilon; weight > 1e-18; weight *= 1 - epsilon) {
      sum += weight * within(law, y);
      Law next(states_);
      for (std::size_t i = 0; i < states_; ++i)
        for (std::size_t j = 0; j < states_; ++j) next[j] += law[i] * rows_[i][j];
      law = next;
    }
    return sum;
  }

 private:
  Law softmax(std::size_t first) const {
    Law law(states_);
    double total = 0;
    for (std::size_t i = 0; i < states_; ++i) total += law[i] = std::exp(theta_[first + i]);
    for (double& p : law) p /= total;
    return law;
  }
  static double within(const Law& law, const Output& y) {
    double sum = 0;
    for (std::size_t i = 0; i < law.size(); ++i)
      if (y.states[i]) sum += law[i];
    return sum;
  }
  /// d log law(S) = E[e_i | S] - E[e_i].
  static void add(const Law& law, const Output& y, double scale, double* g) {
    const double total = within(law, y);
    for (std::size_t i = 0; i < law.size(); ++i) g[i] += scale * ((y.states[i] ? law[i] / total : 0) - law[i]);
  }

  std::size_t states_;
  std::vector<double> theta_;
  Law u_;
  std::vector<Law> rows_;
};

}  // namespace fovea::testing
