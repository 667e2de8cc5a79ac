// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/family/gamma.h"
#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// The moments that a marginal's projection onto a Gamma keeps.
enum class GammaProjection { kMeanVariance, kMeanLogarithm };

/// The factor on x > 0 with its rate integrated out: x ~ Gamma(shape, rate r), r ~ Gamma(rate_shape, rate_rate),
///
///   f(x) ~ x^(shape - 1) (rate_rate + x)^-(shape + rate_shape).
struct CompoundGammaFactor {
  double shape = 1, rate_shape = 1, rate_rate = 1;  ///< all > 0

  /// Projection of x's marginal f(x) x(x); the incoming message may be uniform.
  Gamma marginal_of_x(const Gamma& x, GammaProjection projection = GammaProjection::kMeanLogarithm) const;
  double log_kernel(double x) const;   ///< log f(x), not normalised
  double log_density(double x) const;  ///< normalised
  /// log of the integral of f(x) times the incoming message, which is not normalised.
  double log_evidence(const Gamma& x) const;
};

/// The same factor as an operator with the single slot x.
class CompoundGammaOperator : public Operator {
 public:
  explicit CompoundGammaOperator(const CompoundGammaFactor& factor,
                                 GammaProjection projection = GammaProjection::kMeanLogarithm)
      : factor_(factor), projection_(projection), log_constant_(factor.log_density(1) - factor.log_kernel(1)) {}

  std::string_view name() const override { return "compound-gamma"; }
  std::size_t slot_count() const override { return 1; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<double> log_value(std::span<const double> values) const override {
    return factor_.log_kernel(values[0]) + log_constant_;
  }

 private:
  CompoundGammaFactor factor_;
  GammaProjection projection_;
  double log_constant_;
};

/// The child x ~ Gamma(shape, rate r), whose rate is its parent: slots (x, r), both Gammas; either may be a Point. If
/// nothing is known of x, it has a mean if the shape of r is above 1; otherwise the result is a stand-in, with the mean
/// and variance of log x, which it always has.
class GammaRateOperator : public Operator {
 public:
  explicit GammaRateOperator(double shape) : shape_(shape) {}

  std::string_view name() const override { return "gamma-rate"; }
  std::size_t slot_count() const override { return 2; }
  bool takes_improper(std::size_t slot) const override { return slot == 0; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;

 private:
  double shape_;
};

}  // namespace fovea::ep
