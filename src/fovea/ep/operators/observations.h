// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/family/dirichlet.h"
#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// The child y ~ Bernoulli(p): slots (y, p), y a Bernoulli, p a Beta; either may be a Point. p's marginal, a mixture of
/// two Betas if y is not known, is projected by mean and variance.
class BernoulliOperator : public Operator {
 public:
  std::string_view name() const override { return "bernoulli"; }
  std::size_t slot_count() const override { return 2; }
  /// The message of a known label does not depend on p's incoming message; an unknown label gives no message to a p
  /// that is not proper.
  bool takes_improper(std::size_t slot) const override { return slot == 1; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;
};

/// The child y ~ Categorical(p), a label in 0 .. k - 1: slots (y, p), y a Categorical or a Point with the label's
/// number, p a Dirichlet. p's marginal, a mixture of k Dirichlets if y is not known, is projected by E[log p].
class CategoricalOperator : public Operator {
 public:
  std::string_view name() const override { return "categorical"; }
  std::size_t slot_count() const override { return 2; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;
};

/// The child y ~ Poisson(rate): slots (y, rate), y a Poisson, the rate a Gamma; either may be a Point. With y summed
/// out, a message of log rate l increases the rate of the Gamma by 1 - exp(l): exact, but improper if the result is not
/// above 0. y's marginal, negative binomial if the rate is not known, is projected by its mean.
class PoissonOperator : public Operator {
 public:
  std::string_view name() const override { return "poisson"; }
  std::size_t slot_count() const override { return 2; }
  bool takes_improper(std::size_t slot) const override { return slot == 1; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;
};

}  // namespace fovea::ep
