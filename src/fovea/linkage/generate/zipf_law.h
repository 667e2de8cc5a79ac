// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fovea::linkage {

/// Zipf's law over ranks 0 .. n - 1 with exponent s > 0, s != 1, in its integrated form: a rank is the whole part of a
/// point with density proportional to (1 + x)^-s on [0, n), so that
///   P(rank < r) = ((1 + r)^(1-s) - 1) / ((1 + n)^(1-s) - 1).
/// Unlike the sum, it is drawn in O(1) and needs no table, however many ranks there are.
class ZipfLaw {
 public:
  ZipfLaw(double exponent, std::uint32_t ranks)
      : inverse_(1 / (1 - exponent)), range_(std::pow(1.0 + ranks, 1 - exponent) - 1), ranks_(ranks) {}

  template <class Random>
  std::uint32_t draw(Random& random) const {
    const double uniform = std::exp(-random.exponential());
    const double point = std::pow(1 + uniform * range_, inverse_) - 1;
    return static_cast<std::uint32_t>(std::clamp(point, 0.0, ranks_ - 1.0));
  }

  /// P(rank < r), for 0 <= r <= n.
  double below(double r) const { return (std::pow(1 + r, 1 / inverse_) - 1) / range_; }

  std::uint32_t ranks() const { return ranks_; }

 private:
  double inverse_, range_;
  std::uint32_t ranks_;
};

}  // namespace fovea::linkage
