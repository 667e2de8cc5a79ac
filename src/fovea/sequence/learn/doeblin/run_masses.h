// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fovea::sequence {

/// The masses that the steps of some runs contribute to an output's probability: w_t of DoeblinRuns.
class RunMasses {
 public:
  /// Adds the masses of a run's steps 0 .. T.
  void add(std::vector<double> masses);

  std::size_t run_count() const { return runs_.size(); }
  /// Number of steps of all runs, without their starts.
  std::uint64_t transitions() const { return transitions_; }
  const std::vector<double>& of_run(std::size_t run) const { return runs_[run]; }

  double total() const { return total_; }
  /// Mean mass of a run: E[mean()] = p(y), an unbiased estimate of the likelihood, whose logarithm is biased low. 0
  /// without runs.
  double mean() const;
  /// Standard error of mean() by the runs' variance; too large for stratified runs. Needs at least two runs.
  double error() const;

  /// Number of steps of the longest run, including the start.
  std::size_t step_count() const { return step_totals_.size(); }
  /// Mean mass at step t of the runs that reached it.
  double mean_at(std::size_t t) const { return step_totals_[t] / static_cast<double>(step_counts_[t]); }
  /// Mean mass at step t of the other runs that reached it; 0 without any.
  double mean_of_others(std::size_t run, std::size_t t) const;

 private:
  std::vector<std::vector<double>> runs_;  // [run][t]
  std::vector<double> step_totals_;        // [t] over runs
  std::vector<std::size_t> step_counts_;   // [t] number of runs of at least t steps
  double total_ = 0, squares_ = 0;
  std::uint64_t transitions_ = 0;
};

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
