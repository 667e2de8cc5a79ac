// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "fovea/base/phase_log.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/task/solve_result.h"

namespace fovea::graph {

/// Keeps the phases and improvements of one run of solve(), with their seconds. One thread at a time.
class SolveLog {
 public:
  explicit SolveLog(ProgressFunction progress, PhaseLog* phases = nullptr)
      : progress_(std::move(progress)), phase_log_(phases) {}

  double seconds() const { return seconds_since(started_); }

  /// Runs `body`, which returns the phase's outcome in words, as the phase `name`.
  template <class Body>
  void phase(const char* name, const Body& body) {
    const double begin = seconds();
    if (phase_log_) phase_log_->begin(name);
    const Work before = work_;
    std::string outcome = body();
    Work spent = work_;
    spent.transitions -= before.transitions;
    spent.factors -= before.factors;
    spent.oracle_calls -= before.oracle_calls;
    phases_.push_back({.name = name, .seconds = seconds() - begin, .work = spent, .outcome = std::move(outcome)});
  }

  void spend(const Work& work) { work_ += work; }
  const Work& work() const { return work_; }

  /// Reports progress if the score rose or the bound fell since the last report.
  void improve(const std::string& method, double score, double upper_bound) {
    if (!(score > score_) && !(upper_bound < upper_bound_)) return;
    score_ = std::max(score_, score);
    upper_bound_ = std::min(upper_bound_, upper_bound);
    if (progress_)
      progress_({.phase = "solving",
                 .seconds = seconds(),
                 .figure = "log score",
                 .value = score_,
                 .bound = upper_bound_,
                 .method = method,
                 .work = work_});
  }

  /// Hands the records over to the result.
  void finish(SolveFacts& result) {
    result.seconds = seconds();
    result.work = work_;
    result.phases = std::move(phases_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_ = Clock::now();
  ProgressFunction progress_;
  PhaseLog* phase_log_;
  std::vector<SolvePhase> phases_;
  Work work_;
  double score_ = -std::numeric_limits<double>::infinity();
  double upper_bound_ = std::numeric_limits<double>::infinity();
};

}  // namespace fovea::graph
