// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/run_masses.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/mcmc/restart/restart_kernel.h"

namespace fovea::sequence {

void RunMasses::add(std::vector<double> masses) {
  const double mass = std::accumulate(masses.begin(), masses.end(), 0.0);
  total_ += mass;
  squares_ += mass * mass;
  transitions_ += masses.size() - 1;
  if (step_totals_.size() < masses.size()) {
    step_totals_.resize(masses.size());
    step_counts_.resize(masses.size());
  }
  for (std::size_t t = 0; t < masses.size(); ++t) {
    step_totals_[t] += masses[t];
    ++step_counts_[t];
  }
  runs_.push_back(std::move(masses));
}

double RunMasses::mean() const { return runs_.empty() ? 0 : total_ / static_cast<double>(runs_.size()); }

double RunMasses::error() const {
  const auto runs = static_cast<double>(runs_.size());
  const double variance = std::max(0.0, squares_ - total_ * total_ / runs) / (runs - 1);
  return std::sqrt(variance / runs);
}

double RunMasses::mean_of_others(std::size_t run, std::size_t t) const {
  const std::size_t others = step_counts_[t] - 1;
  return others == 0 ? 0 : (step_totals_[t] - runs_[run][t]) / static_cast<double>(others);
}

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
