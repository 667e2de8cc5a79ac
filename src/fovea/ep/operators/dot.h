// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// The child y = x . w + offset + noise, noise ~ N(0, noise_variance), x known: slots (y, w), y a Gaussian or a Point,
/// w a MultivariateGaussian. Exact; O(d^3) for d dimensions.
class DotOperator : public Operator {
 public:
  /// Requires noise_variance >= 0; if it is 0, x must not be 0.
  DotOperator(std::vector<double> x, double offset, double noise_variance)
      : x_(std::move(x)), offset_(offset), noise_variance_(noise_variance) {}

  std::string_view name() const override { return "dot"; }
  std::size_t slot_count() const override { return 2; }
  bool takes_improper(std::size_t slot) const override { return slot == 0; }
  /// Throws InputError for the message to w if y is known and noise_variance is 0: then w's marginal has no density.
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  /// Returns a value if there is noise.
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;

 private:
  /// Mean and variance of x . w + offset: y without the noise.
  MultivariateGaussian::Projection along(const Message& w) const;

  std::vector<double> x_;
  double offset_, noise_variance_;
};

}  // namespace fovea::ep
