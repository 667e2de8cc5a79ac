// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace fovea::linkage {

/// A function that never falls: straight between its knots, constant before the first and after the last.
struct MonotoneMap {
  struct Knot {
    double x = 0, y = 0;
    bool operator==(const Knot&) const = default;
  };
  /// By rising x, y never falling; none: every number is mapped to itself.
  std::vector<Knot> knots = {};

  double operator()(double x) const;
  bool operator==(const MonotoneMap&) const = default;
};

/// The function of x that never falls and is nearest to the points' y, by least squares (pool adjacent violators). With
/// labels 0 and 1 for y: the probability of a 1, if it can but rise with x. Points with equal x count as one, their
/// mean; each stretch on which the function is constant has a knot at both ends. O(n log n).
MonotoneMap fit_isotonic_regression(std::vector<MonotoneMap::Knot> points);

}  // namespace fovea::linkage
