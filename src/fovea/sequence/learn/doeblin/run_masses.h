// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fovea::sequence {

/// How much of an output's probability each step of some runs accounts for: w_t of DoeblinRuns.
class RunMasses {
 public:
  /// Of a run's steps 0 .. T.
  void add(std::vector<double> masses);

  std::size_t run_count() const { return runs_.size(); }
  /// Steps of all runs that moved on.
  std::uint64_t transitions() const { return transitions_; }
  const std::vector<double>& of_run(std::size_t run) const { return runs_[run]; }

  double total() const { return total_; }
  /// Of a run: E[mean()] = p(y), an unbiased estimate of the likelihood, whose logarithm is biased low. 0 of no runs.
  double mean() const;
  /// Of mean(), by the runs' variance; too large for stratified runs. Two runs at least.
  double error() const;

  /// Steps of the longest run, with the start.
  std::size_t step_count() const { return step_totals_.size(); }
  /// Mean mass at step t of the runs that came so far.
  double mean_at(std::size_t t) const { return step_totals_[t] / static_cast<double>(step_counts_[t]); }
  /// Mean mass at step t of the other runs that came so far; 0 if there is none.
  double mean_of_others(std::size_t run, std::size_t t) const;

 private:
  std::vector<std::vector<double>> runs_;  // [run][t]
  std::vector<double> step_totals_;        // [t] over runs
  std::vector<std::size_t> step_counts_;   // [t] runs of at least t steps
  double total_ = 0, squares_ = 0;
  std::uint64_t transitions_ = 0;
};

}  // namespace fovea::sequence
