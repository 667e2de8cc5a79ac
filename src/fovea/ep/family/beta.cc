// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/beta.h"

#include <algorithm>

#include "fovea/ep/family/gamma.h"

namespace fovea::ep {

Beta::Parameters Beta::expected_statistics() const {
  const double both = digamma(a() + b());
  return {digamma(a()) - both, digamma(b()) - both};
}

Beta Beta::from_expected_statistics(const Parameters& statistics) {
  constexpr int kMostSteps = 100;
  constexpr double kLongestStep = 2;  // in log a and log b
  // The start is right for small a and b, and close for large ones: E[log x] is about log mean - 1 / (2 a).
  const double left = std::exp(statistics[0]), right = std::exp(statistics[1]);
  const double excess = std::max(1e-12, 1 - left - right);
  double a = .5 + .5 * left / excess, b = .5 + .5 * right / excess;
  for (int step = 0; step < kMostSteps; ++step) {
    const double both = digamma(a + b), slope = trigamma(a + b);
    const double first = digamma(a) - both - statistics[0], second = digamma(b) - both - statistics[1];
    // The Jacobian with respect to log a and log b, inverted by hand.
    const double aa = a * (trigamma(a) - slope), ab = -b * slope, ba = -a * slope, bb = b * (trigamma(b) - slope);
    const double determinant = aa * bb - ab * ba;
    const double change_a = (bb * first - ab * second) / determinant;
    const double change_b = (aa * second - ba * first) / determinant;
    a *= std::exp(std::clamp(-change_a, -kLongestStep, kLongestStep));
    b *= std::exp(std::clamp(-change_b, -kLongestStep, kLongestStep));
    if (std::max(std::abs(change_a), std::abs(change_b)) < 1e-13) break;
  }
  return from_counts(a, b);
}

}  // namespace fovea::ep
