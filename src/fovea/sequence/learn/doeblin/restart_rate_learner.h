// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/sequence/learn/doeblin/run_masses.h"

namespace fovea::sequence {

/// Learns from the runs of a training how often to restart: they show what share of each output's probability is
/// reached after how many steps, and hence the likelihood at any other restart rate.
class RestartRateLearner {
 public:
  /// Adds the runs of one output, whose lengths were geometric with rate `epsilon`.
  void add(const RunMasses& masses, double epsilon, double log_scale);

  std::size_t output_count() const { return log_scales_.size(); }
  /// Mean over outputs of log sum_t epsilon (1 - epsilon)^t p(y after t steps), where the last known step stands for
  /// those after it.
  double mean_log_likelihood(double epsilon) const;
  /// The best rate by best_restart_rate, with mean_log_likelihood as the score.
  double best(double start_cost) const;

 private:
  std::vector<float> step_masses_;         // of output after output, [t]: mean of p(y after t steps) / exp(log scale)
  std::vector<std::size_t> begins_ = {0};  // of outputs in step_masses_
  std::vector<double> log_scales_;
};

}  // namespace fovea::sequence
