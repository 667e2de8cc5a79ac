// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// The child y ~ N(mean, 1 / precision): slots (y, mean, precision), y and mean Gaussians, the precision a Gamma; each
/// may be a Point. Given the precision everything is Gaussian, so marginals are integrals over its logarithm, by
/// quadrature to ten digits. They have a closed form if the precision, or both other variables, are known. The
/// precision's marginal is projected by E[x] and E[log x], the others by mean and variance.
class NormalOperator : public Operator {
 public:
  std::string_view name() const override { return "normal"; }
  std::size_t slot_count() const override { return 3; }
  /// If nothing is known of y its marginal is Student's t. That has a variance if the shape a of the precision is above
  /// 1; otherwise the result is a stand-in, whose noise has the variance (1 + 1 / a) / E[precision].
  bool takes_improper(std::size_t slot) const override { return slot == 0; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;
};

}  // namespace fovea::ep
