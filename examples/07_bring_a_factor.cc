// SPDX-License-Identifier: Apache-2.0
// Bring any factor in a few lines: its messages are drawn at first, and recalled once that can be trusted.
#include <cmath>
#include <iostream>

#include "fovea/ep.h"

using namespace fovea;
using namespace fovea::ep;

int main() {
  // How likely is a cure at dose x? 200 clinics, each with its own sensitivity; we only say how to draw.
  const FactorSpec cure = {.sample = [](double sensitivity) { return 1 / (1 + std::exp(-sensitivity)); },
                           .child = Beta(),  // of probabilities
                           .sampling = {.samples = 5000}};

  Model model;
  Random random(1);
  const Variable mean = model.gaussian({.mean = 0, .variance = 4});
  for (int clinic = 0; clinic < 200; ++clinic) {
    const Variable sensitivity = model.linear({1}, {mean}, 0, 1);  // N(mean, 1)
    const double truth = 1.5 + random.normal();
    for (int patient = 0; patient < 3; ++patient)
      model.observe(model.bernoulli(model.factor("cure", cure, {sensitivity})),
                    random.bernoulli(1 / (1 + std::exp(-truth))) ? 1 : 0);
  }
  const Posterior posterior = model.infer({.max_marginal_kl = 1e-4, .iterations = 20});
  const Gaussian& found = posterior.as<Gaussian>(mean);
  std::cout << "mean sensitivity " << found.mean() << " +- " << std::sqrt(found.variance()) << " (1.5)\n"
            << posterior.brief() << '\n';
  return std::abs(found.mean() - 1.5) < 5 * std::sqrt(found.variance()) ? 0 : 1;
}
