// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/restart_rate_learner.h"

#include <cmath>

#include "fovea/mcmc/restart/restart_kernel.h"

namespace fovea::sequence {

void RestartRateLearner::add(const RunMasses& masses, double epsilon, double log_scale) {
  for (std::size_t t = 0; t < masses.step_count(); ++t)
    step_masses_.push_back(static_cast<float>(masses.mean_at(t) / epsilon));
  begins_.push_back(step_masses_.size());
  log_scales_.push_back(log_scale);
}

double RestartRateLearner::mean_log_likelihood(double epsilon) const {
  double sum = 0;
  for (std::size_t output = 0; output < log_scales_.size(); ++output) {
    double mass = 0, rest = 1;
    for (std::size_t i = begins_[output]; i < begins_[output + 1]; ++i) {
      const bool last = i + 1 == begins_[output + 1];
      mass += (last ? rest : rest * epsilon) * step_masses_[i];
      rest *= 1 - epsilon;
    }
    sum += std::log(mass) + log_scales_[output];
  }
  return sum / static_cast<double>(log_scales_.size());
}

double RestartRateLearner::best(double start_cost) const {
  return mcmc::best_restart_rate([&](double epsilon) { return mean_log_likelihood(epsilon); }, start_cost);
}

}  // namespace fovea::sequence
