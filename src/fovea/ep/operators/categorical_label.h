// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/family/dirichlet.h"
#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

/// The child y ~ Categorical(p), a label in 0 .. k - 1: slots (y, p), y a Categorical or the Point of the label's
/// number, p a Dirichlet. p's marginal, a mixture of k Dirichlets where y is not known, is projected by E[log p].
class CategoricalOperator : public Operator {
 public:
  std::string_view name() const override { return "categorical"; }
  std::size_t slot_count() const override { return 2; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const override;
  std::optional<Variational> variational(std::size_t slot, std::span<const Message> marginals) const override;
};

}  // namespace fovea::ep
