// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::testing {

using Law = std::vector<double>;

/// A Markov chain over a few states: at(y', y) = A(y | y'), rows sum to 1.
class MarkovMatrix {
 public:
  explicit MarkovMatrix(std::size_t states) : states_(states), entries_(states * states) {}
  MarkovMatrix(std::size_t states, std::vector<double> entries) : states_(states), entries_(std::move(entries)) {}

  static MarkovMatrix identity(std::size_t states) {
    MarkovMatrix matrix(states);
    for (std::size_t i = 0; i < states; ++i) matrix.at(i, i) = 1;
    return matrix;
  }
  /// A chain that draws from u, whatever the state.
  static MarkovMatrix restart(const Law& u) {
    MarkovMatrix matrix(u.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      for (std::size_t j = 0; j < u.size(); ++j) matrix.at(i, j) = u[j];
    return matrix;
  }

  std::size_t states() const { return states_; }
  double& at(std::size_t from, std::size_t to) { return entries_[from * states_ + to]; }
  double at(std::size_t from, std::size_t to) const { return entries_[from * states_ + to]; }
  std::span<const double> row(std::size_t from) const { return {entries_.data() + from * states_, states_}; }

  MarkovMatrix times(const MarkovMatrix& other) const {
    MarkovMatrix product(states_);
    for (std::size_t i = 0; i < states_; ++i)
      for (std::size_t k = 0; k < states_; ++k)
        for (std::size_t j = 0; j < states_; ++j) product.at(i, j) += at(i, k) * other.at(k, j);
    return product;
  }
  MarkovMatrix mixed_with(const MarkovMatrix& other, double share) const {
    MarkovMatrix mixture(states_);
    for (std::size_t i = 0; i < entries_.size(); ++i)
      mixture.entries_[i] = (1 - share) * entries_[i] + share * other.entries_[i];
    return mixture;
  }

  Law after_step(const Law& law) const {
    Law next(states_);
    for (std::size_t i = 0; i < states_; ++i)
      for (std::size_t j = 0; j < states_; ++j) next[j] += law[i] * at(i, j);
    return next;
  }

  /// The stationary law, by squaring; for chains that mix.
  Law stationary() const {
    MarkovMatrix power = *this;
    for (int i = 0; i < 60; ++i) power = power.times(power).normalised();
    return {power.entries_.begin(), power.entries_.begin() + static_cast<std::ptrdiff_t>(states_)};
  }

  /// The modulus of the second-largest eigenvalue: the spectral radius of A - 1 pi^T, by squaring (Gelfand).
  double second_eigenvalue() const {
    MarkovMatrix power = *this;
    const Law law = stationary();
    for (std::size_t i = 0; i < states_; ++i)
      for (std::size_t j = 0; j < states_; ++j) power.at(i, j) -= law[j];
    double log_scale = 0, exponent = 1;  // power = exp(-log_scale) (A - 1 pi^T)^exponent
    for (int i = 0; i < 50; ++i) {
      const double norm =
          std::sqrt(std::inner_product(power.entries_.begin(), power.entries_.end(), power.entries_.begin(), 0.0));
      if (norm < std::numeric_limits<double>::min()) return 0;
      for (double& entry : power.entries_) entry /= norm;
      log_scale += std::log(norm);
      power = power.times(power);
      log_scale *= 2;
      exponent *= 2;
    }
    return std::exp(log_scale / exponent);
  }

  template <class AnyRandom>
  std::size_t step(std::size_t state, AnyRandom& random) const {
    return random.categorical(row(state));
  }

 private:
  MarkovMatrix normalised() const {
    MarkovMatrix matrix = *this;
    for (std::size_t i = 0; i < states_; ++i) {
      const double sum = std::accumulate(row(i).begin(), row(i).end(), 0.0);
      for (std::size_t j = 0; j < states_; ++j) matrix.at(i, j) /= sum;
    }
    return matrix;
  }

  std::size_t states_;
  std::vector<double> entries_;
};

inline Law random_law(std::size_t states, Random& random) {
  Law law(states);
  double total = 0;
  for (double& p : law) total += p = random.exponential();
  for (double& p : law) p /= total;
  return law;
}

inline MarkovMatrix random_chain(std::size_t states, Random& random) {
  MarkovMatrix matrix(states);
  for (std::size_t i = 0; i < states; ++i) {
    const Law law = random_law(states, random);
    for (std::size_t j = 0; j < states; ++j) matrix.at(i, j) = law[j];
  }
  return matrix;
}

/// A chain with detailed balance: Metropolis-Hastings with a uniform proposal, slowed down by `laziness`.
inline MarkovMatrix random_reversible_chain(std::size_t states, double laziness, Random& random) {
  const Law law = random_law(states, random);
  MarkovMatrix matrix(states);
  for (std::size_t i = 0; i < states; ++i) {
    matrix.at(i, i) = 1;
    for (std::size_t j = 0; j < states; ++j) {
      if (j == i) continue;
      matrix.at(i, j) = (1 - laziness) / static_cast<double>(states) * std::min(1.0, law[j] / law[i]);
      matrix.at(i, i) -= matrix.at(i, j);
    }
  }
  return matrix;
}

/// KL(p || q), in nats.
inline double divergence(const Law& p, const Law& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] > 0) sum += p[i] * std::log(p[i] / q[i]);
  return sum;
}

}  // namespace fovea::testing
