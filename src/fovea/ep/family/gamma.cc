// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/gamma.h"

namespace fovea::ep {

double Gamma::expected_logarithm() const { return digamma(shape()) - std::log(rate()); }

Gamma Gamma::from_expected_logarithm(double mean, double expected_logarithm) {
  constexpr int kMostSteps = 50;
  const double gap = std::log(mean) - expected_logarithm;  // log shape - digamma(shape), which falls with the shape
  double shape = (3 - gap + std::sqrt((gap - 3) * (gap - 3) + 24 * gap)) / (12 * gap);  // within 1.5 %
  for (int step = 0; step < kMostSteps; ++step) {
    const double error = std::log(shape) - digamma(shape) - gap;
    const double slope = 1 / shape - trigamma(shape);
    const double change = error / (slope * shape);
    shape *= std::exp(-change);
    if (std::abs(change) < 1e-14) break;
  }
  return from_shape_rate(shape, shape / mean);
}

}  // namespace fovea::ep
