// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/gamma_draw.h"

#include <algorithm>
#include <cmath>

namespace fovea::ep {

double draw_gamma(double shape, Random& random) {
  if (shape < 1) return draw_gamma(shape + 1, random) * std::exp(-random.exponential() / shape);
  const double d = shape - 1. / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = random.normal(), root = 1 + c * x;
    if (!(root > 0)) continue;
    const double v = root * root * root;
    if (random.bernoulli_log(std::min(0., .5 * x * x + d - d * v + d * std::log(v)))) return d * v;
  }
}

double draw_log_gamma(double shape, Random& random) {
  if (shape >= 1) return std::log(draw_gamma(shape, random));
  const double larger = draw_gamma(shape + 1, random);
  return std::log(larger) - random.exponential() / shape;
}

}  // namespace fovea::ep
