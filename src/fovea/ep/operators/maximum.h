// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/ep/operators/operator.h"

namespace fovea::ep {

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
