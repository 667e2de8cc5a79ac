// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/family/discrete.h"
#include "fovea/ep/family/gaussian.h"
#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// log of the standard normal's distribution function, to full relative precision in both tails.
double log_normal_cdf(double x);

/// The factor is_above = (x > threshold) between a real and a truth value. With x = performance a - performance b and
/// noise in both it is TrueSkill's; with noise of variance 1 it is the probit. x must be proper.
struct TruncationFactor {
  double threshold = 0;

  /// The Gaussian with mean and variance of x's marginal, in closed form from ratios of densities to tails. Log odds
  /// may be infinite.
  Gaussian marginal_of_x(const Gaussian& x, const Bernoulli& is_above) const;
  Bernoulli message_to_truth(const Gaussian& x) const;
  /// log p(truth) of proper messages, both normalised.
  double log_evidence(const Gaussian& x, const Bernoulli& is_above) const;
};

/// The same factor with slots (is_above, x), is_above a Bernoulli, x a Gaussian; either may be a Point.
class GreaterThanOperator : public Operator {
 public:
  explicit GreaterThanOperator(double threshold) : factor_({.threshold = threshold}) {}

  std::string_view name() const override { return "greater-than"; }
  std::size_t slot_count() const override { return 2; }
  /// Throws InputError if known values contradict each other.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;

 private:
  TruncationFactor factor_;
};

/// The child m = max(a, b): slots (m, a, b), each a Gaussian or a Point. Either a is m and b lies below it, or the
/// other way round. In both cases the difference is a Gaussian truncated at 0, from which the means and variances of
/// all marginals follow exactly. If nothing else is known of m they are those of Clark (1961), "The greatest of a
/// finite set of random variables".
class MaxOperator : public Operator {
 public:
  std::string_view name() const override { return "max"; }
  std::size_t slot_count() const override { return 3; }
  bool takes_improper(std::size_t slot) const override { return slot == 0; }
  /// Throws InputError if known values contradict each other.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
};

}  // namespace fovea::ep
