// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/family/beta.h"
#include "fovea/ep/family/gaussian.h"
#include "fovea/ep/operators/operator.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {

/// The factor p = 1 / (1 + exp(-x)) between a real x and a probability p. A label y = 1 observed of p makes the message
/// of p Beta(2, 1), y = 0 Beta(1, 2). Incoming messages: x's proper, p's of any counts for which x's marginal is.
struct LogisticFactor {
  /// The Gaussian with mean and variance of x's marginal, N(x) sigmoid(x)^(a - 1) (1 - sigmoid(x))^(b - 1).
  static Gaussian marginal_of_x(const Gaussian& x, const Beta& p);
  /// The Beta with mean and variance of p's marginal.
  /// E[p], also where x is so wide that p is nearly 0 or 1, of which a Beta tells little.
  static double mean_of_p(const Gaussian& x, const Beta& p);
  static Beta marginal_of_p(const Gaussian& x, const Beta& p);
  /// log of the integral of N(x) times p's message as it stands, not normalised.
  static double log_evidence(const Gaussian& x, const Beta& p);
};

/// What a user would write of it, for oracles of any factor.
FactorFunctions logistic_sampler();

/// The same with slots (p, x): by Gauss-Hermite quadrature to ten digits where p tells of one label, which is the case
/// that matters, else by LogisticFactor. p proper; either may be a Point.
class LogisticOperator : public Operator {
 public:
  std::string_view name() const override { return "logistic"; }
  std::size_t slot_count() const override { return 2; }
  /// Throws InputError where both are known, and contradict each other.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;

  /// Of x, where one label was observed; log_mass is log p(label).
  Tilted tilted_by_label(const Gaussian& x, bool label) const;

 private:
  Tilted tilted_by_known(std::size_t slot, std::span<const Message> incoming) const;

  GaussHermite few_{10}, some_{28}, many_{120};
};

}  // namespace fovea::ep
