// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "fovea/ep/family/gaussian.h"
#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

// Messages of linear factors between Gaussian variables are exact. They are computed from natural parameters, so they
// also hold for uniform and improper incoming messages.

/// Message to z in z = x + y.
Gaussian sum_of(const Gaussian& x, const Gaussian& y);
/// Message to x in z = x + y.
Gaussian difference_of(const Gaussian& z, const Gaussian& y);

/// Message to y in y = factor x; the factor must not be 0.
inline Gaussian scaled(const Gaussian& x, double factor) {
  return Gaussian::from_natural(x.precision_mean() / factor, x.precision() / (factor * factor));
}
/// Message to x in y = factor x; uniform if the factor is 0.
inline Gaussian unscaled(const Gaussian& y, double factor) {
  return Gaussian::from_natural(y.precision_mean() * factor, y.precision() * (factor * factor));
}

/// Message to y in y ~ N(x, variance), and by symmetry to x.
inline Gaussian blurred(const Gaussian& x, double variance) {
  const double shrink = 1 / (1 + x.precision() * variance);
  return Gaussian::from_natural(x.precision_mean() * shrink, x.precision() * shrink);
}

/// z = sum_i factors[i] x_i.
class InnerProduct {
 public:
  /// Takes messages from all x_i, which must be proper.
  InnerProduct(std::span<const double> factors, std::span<const Gaussian> x);

  Gaussian to_sum() const { return Gaussian::from_mean_variance(mean_, variance_); }
  /// Message to x_i, given the message to z from other factors. O(1).
  Gaussian to_term(std::size_t i, const Gaussian& z) const;

 private:
  std::span<const double> factors_;
  std::span<const Gaussian> x_;
  double mean_ = 0, variance_ = 0;
};

/// The child z = offset + sum_i factors[i] x_i + noise, noise ~ N(0, noise_variance): slots (z, x_0, x_1, ...), each a
/// Gaussian or a Point. Exact.
class LinearOperator : public Operator {
 public:
  /// Factors must not be 0; noise_variance >= 0.
  LinearOperator(std::vector<double> factors, double offset, double noise_variance)
      : factors_(std::move(factors)), offset_(offset), noise_variance_(noise_variance) {}

  std::string_view name() const override { return "linear"; }
  std::size_t slot_count() const override { return 1 + factors_.size(); }
  bool takes_improper(std::size_t) const override { return true; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  /// Returns a value if there is noise.
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;

 private:
  /// The factor of each slot in 0 = offset + sum_i factor_of(i) v_i + noise.
  double factor_of(std::size_t slot) const { return slot == 0 ? -1 : factors_[slot - 1]; }

  std::vector<double> factors_;
  double offset_, noise_variance_;
};

}  // namespace fovea::ep
