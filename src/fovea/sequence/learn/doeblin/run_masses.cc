// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/run_masses.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

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

}  // namespace fovea::sequence
