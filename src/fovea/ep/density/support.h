// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/base/log_math.h"
#include "fovea/ep/density/program.h"

namespace fovea::ep {

/// Values that an unknown number, or a group of them, can have.
struct Support {
  enum class Kind {
    kInterval,  ///< between low and high, which may be infinite
    kSimplex,   ///< groups of probabilities that sum to 1
    kOrdered    ///< groups of rising numbers, above `low`
  };
  Kind kind = Kind::kInterval;
  double low = -kInfinity, high = kInfinity;

  static Support real() { return {}; }
  static Support positive() { return {.low = 0}; }
  static Support unit() { return {.low = 0, .high = 1}; }

  friend bool operator==(const Support&, const Support&) = default;
};

/// Adds unknown numbers of a support: `size` of them, in groups of `group`. They are made of unconstrained parameters,
/// and the log of the determinant of that change of variables is added to the density:
///
///   an interval   low + exp(u), high - exp(u) or low + (high - low) / (1 + exp(-u))
///   a simplex     by stick-breaking: x_k = (1 - x_0 - ... - x_(k-1)) / (1 + exp(-u_k + log(K - 1 - k)))
///   ordered       x_0 = u_0, or low + exp(u_0); x_k = x_(k-1) + exp(u_k)
///
/// so that u = 0 is the middle of an interval, and a simplex of equal probabilities.
Node add_unknown(Program& program, const Support& support, std::size_t size, std::size_t group = 1);

}  // namespace fovea::ep
