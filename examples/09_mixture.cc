// SPDX-License-Identifier: Apache-2.0
// Fits a mixture of two Gaussians, written with gates (Minka and Winn 2008), by two algorithms, and predicts with it.
#include <cmath>
#include <iostream>

#include "fovea/ep.h"

using namespace fovea;
using namespace fovea::ep;

struct Mixture {
  Model model;
  // The priors differ: otherwise nothing would tell the groups apart.
  Variable means[2] = {model.gaussian({.mean = 0, .variance = 25}), model.gaussian({.mean = 5, .variance = 25})};
  Variable precisions[2] = {model.gamma(2, 1), model.gamma(2, 1)};
  Variable share = model.beta(1, 1);  // of the second group

  /// Returns a number, and puts its group in `group`.
  Variable number(Variable& group) {
    group = model.bernoulli(share);
    return model.pick_normal(group, {means[0], means[1]}, {precisions[0], precisions[1]});
  }
};

/// Prints what 200 numbers show. Returns whether that is close to what they were drawn from.
bool solve(const char* name, Algorithm algorithm) {
  Mixture mixture;
  Random random(1);
  Variable group;
  for (int i = 0; i < 200; ++i)
    mixture.model.observe(mixture.number(group), random.bernoulli(.3) ? 4 + random.normal() : .5 * random.normal());
  const InferenceOptions options = {.algorithm = algorithm, .max_marginal_kl = 1e-7, .evidence = true};
  const Posterior posterior = mixture.model.infer(options);
  std::cout << name << ": " << posterior.brief() << "\n  log evidence " << posterior.log_evidence.value() << '\n';
  bool is_near = posterior.has_converged;
  for (int k = 0; k < 2; ++k) {
    const Gaussian& mean = posterior.as<Gaussian>(mixture.means[k]);
    const double deviation = 1 / std::sqrt(posterior.as<Gamma>(mixture.precisions[k]).mean());
    std::cout << "  group " << k << ": mean " << mean.mean() << " +- " << std::sqrt(mean.variance()) << " (" << 4 * k
              << "), standard deviation " << deviation << " (" << .5 + .5 * k << ")\n";
    is_near = is_near && std::abs(mean.mean() - 4 * k) < 5 * std::sqrt(mean.variance());
  }
  // What comes next, and which group is a 2 from? Inference goes on from where it was.
  Variable next_group, known_group;
  const Variable next = mixture.number(next_group), known = mixture.number(known_group);
  mixture.model.observe(known, 2);
  const Posterior then = mixture.model.infer(options);
  const Gaussian& prediction = then.as<Gaussian>(next);
  std::cout << "  next: " << prediction.mean() << " +- " << std::sqrt(prediction.variance())
            << "; a 2 is of group 1 with probability " << then.as<Bernoulli>(known_group).probability() << '\n';
  return is_near && then.iterations <= posterior.iterations;
}

int main() {
  const bool by_propagation = solve("expectation propagation", Algorithm::kExpectationPropagation);
  const bool by_bound = solve("variational (its evidence is a lower bound)", Algorithm::kVariational);
  return by_propagation && by_bound ? 0 : 1;
}
