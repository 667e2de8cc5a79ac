// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/family/dirichlet.h"
#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// The child y ~ Bernoulli(p): slots (y, p), y a Bernoulli, p a Beta; either may be a Point. p's marginal, a mixture of
/// two Betas where y is not known, is projected by mean and variance.
class BernoulliOperator : public Operator {
 public:
  std::string_view name() const override { return "bernoulli"; }
  std::size_t slot_count() const override { return 2; }
  /// A known label tells the same whatever p is told; another one tells nothing of a p that is not proper.
  bool takes_improper(std::size_t slot) const override { return slot == 1; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;
};

/// The child y ~ Categorical(p), a label in 0 .. k - 1: slots (y, p), y a Categorical or the Point of the label's
/// number, p a Dirichlet. p's marginal, a mixture of k Dirichlets where y is not known, is projected by E[log p].
class CategoricalOperator : public Operator {
 public:
  std::string_view name() const override { return "categorical"; }
  std::size_t slot_count() const override { return 2; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;
};

/// The child y ~ Poisson(rate): slots (y, rate), y a Poisson, the rate a Gamma; either may be a Point. With y summed
/// out a message of log rate l makes the rate's rate larger by 1 - exp(l): exact, but not proper where that is too
/// much. y's marginal, negative binomial where the rate is not known, is projected by its mean.
class PoissonOperator : public Operator {
 public:
  std::string_view name() const override { return "poisson"; }
  std::size_t slot_count() const override { return 2; }
  bool takes_improper(std::size_t slot) const override { return slot == 1; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;
};

}  // namespace fovea::ep
