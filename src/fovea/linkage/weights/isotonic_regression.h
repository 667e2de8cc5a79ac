// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace fovea::linkage {

/// A non-decreasing function: straight between its knots, constant before the first and after the last.
struct MonotoneMap {
  struct Knot {
    double x = 0, y = 0;
    bool operator==(const Knot&) const = default;
  };
  /// Sorted by x, with non-decreasing y. If empty, every number is mapped to itself.
  std::vector<Knot> knots = {};

  double operator()(double x) const;
  bool operator==(const MonotoneMap&) const = default;
};

/// Fits the non-decreasing function of x that is nearest to the points' y by least squares (pool adjacent violators).
/// With labels 0 and 1 for y, it is the probability of a 1, if that can only rise with x. Points with equal x count as
/// one, their mean; each stretch on which the function is constant has a knot at both ends. O(n log n).
MonotoneMap fit_isotonic_regression(std::vector<MonotoneMap::Knot> points);

}  // namespace fovea::linkage
