// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/family/beta.h"
#include "fovea/ep/family/gaussian.h"
#include "fovea/ep/operators/operator.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {

/// The factor p = 1 / (1 + exp(-x)) between a real x and a probability p. If a label y of p is observed, the message to
/// p is Beta(2, 1) for y = 1 and Beta(1, 2) for y = 0. Incoming messages: x's must be proper; p's may have any counts
/// for which x's marginal is proper.
struct LogisticFactor {
  /// The Gaussian with mean and variance of x's marginal, N(x) sigmoid(x)^(a - 1) (1 - sigmoid(x))^(b - 1).
  static Gaussian marginal_of_x(const Gaussian& x, const Beta& p);
  /// E[p]. Also right if x is so wide that p is nearly 0 or 1, where a Beta carries little information.
  static double mean_of_p(const Gaussian& x, const Beta& p);
  /// The Beta with mean and variance of p's marginal.
  static Beta marginal_of_p(const Gaussian& x, const Beta& p);
  /// log of the integral of N(x) times p's message, which is not normalised.
  static double log_evidence(const Gaussian& x, const Beta& p);
};

/// The factor as a user would write it, for the oracles that serve any factor.
FactorFunctions logistic_sampler();

/// The same factor with slots (p, x). Uses Gauss-Hermite quadrature to ten digits if p's message is that of one label,
/// which is the case that matters; else LogisticFactor. p must be proper; either may be a Point.
class LogisticOperator : public Operator {
 public:
  std::string_view name() const override { return "logistic"; }
  std::size_t slot_count() const override { return 2; }
  /// Throws InputError if both are known and contradict each other.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;

  /// The message to x if one label was observed; log_mass is log p(label).
  Tilted tilted_by_label(const Gaussian& x, bool label) const;

 private:
  Tilted tilted_by_known(std::size_t slot, std::span<const Message> incoming) const;

  GaussHermite few_{10}, some_{28}, many_{120};
};

}  // namespace fovea::ep
