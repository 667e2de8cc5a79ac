// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "fovea/ep/language/distribution.h"
#include "fovea/ep/language/expression_values.h"

namespace fovea::ep {

/// The right side of a statement with a distribution.
struct DrawnFrom {
  const Distribution* distribution = nullptr;
  Expression call = {};  ///< of the distribution, without its plate
  std::optional<std::size_t> plate = {};
  Support support = {};                    ///< with the bounds of above, below and between
  bool is_bounded = false;                 ///< by one of these, which cut the distribution
  bool is_ordered = false;                 ///< its numbers rise along the last plate
  std::optional<Expression> is_seen = {};  ///< of `censored`: 1, or 0 where only a lower bound was observed

  /// True if the density integrates to 1.
  bool is_normalised() const;
  /// True if an observed number can be drawn; `members`: of the plate.
  bool allows(double value, std::size_t members) const;
};

/// Reads
///
///   D(...)                            a distribution
///   ordered(D(...))                   numbers that rise along the last plate
///                                     (the density is that of D, not divided by the probability that they rise)
///   above(low, D(...)), below(high, D(...)), between(low, high, D(...)), uniform(low, high)
///   censored(D(...), is_seen)         numbers of which only a lower bound is known where is_seen is 0
///
/// Throws InputError for other texts.
DrawnFrom drawn_from(const Expression& value, const ModelPlates& plates, ExpressionValues& values,
                     const Program& program);

/// Log density of x given the values of the call's arguments, with the bounds and the censoring. A bound's constant
/// is left out but of normal and flat ones; where it hangs on arguments, the distribution is normal.
Node density_within(Program& program, const DrawnFrom& from, Node x, std::span<const Node> arguments,
                    const std::function<Node(const Expression&)>& value_of);

}  // namespace fovea::ep
