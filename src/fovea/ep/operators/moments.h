// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "fovea/ep/family/message.h"

namespace fovea::ep {

// Moments of proper messages that may be Points (in addition to mean_of, message.h).

/// Variance of a Gaussian; 0 for a Point.
inline double variance_of(const Message& x) {
  return std::holds_alternative<Point>(x) ? 0 : std::get<Gaussian>(x).variance();
}

/// Probabilities of the values 0 .. count - 1 of a Bernoulli (count is 2) or Categorical.
inline std::vector<double> probabilities_of(const Message& label, std::size_t count) {
  if (const auto* categorical = std::get_if<Categorical>(&label)) return categorical->expected_statistics();
  std::vector<double> probabilities(count);
  if (const auto* known = std::get_if<Point>(&label)) probabilities[static_cast<std::size_t>(known->value)] = 1;
  else {
    const double p = std::get<Bernoulli>(label).probability();
    probabilities[0] = 1 - p;
    probabilities[1] = p;
  }
  return probabilities;
}

/// E[log x] of a Gamma or a Point.
inline double expected_logarithm_of(const Message& x) {
  const auto* known = std::get_if<Point>(&x);
  return known ? std::log(known->value) : std::get<Gamma>(x).expected_logarithm();
}

}  // namespace fovea::ep
