// SPDX-License-Identifier: Apache-2.0
/// Common part of the inference methods. Internal to this module: exposes Eigen.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "fovea/base/run_control.h"
#include "fovea/gp/likelihood/likelihood.h"
#include "fovea/gp/posterior/fit_summary.h"
#include "fovea/gp/posterior/latent_draws.h"
#include "fovea/gp/posterior/posteriors.h"

namespace fovea::gp {

/// A posterior to approximate; all must outlive it.
struct InferenceProblem {
  const Sequences& sequences;
  const ProjectedSequences& projected;
  const Likelihood& likelihood;
  double pairwise_variance = 1;  ///< of the prior
  int threads = 0;

  std::size_t labels() const { return sequences.label_count; }
  std::size_t points() const { return size(projected.rows().cols()); }
};

/// Number of threads for a loop of about this many operations: waking another one takes as long as many thousands of
/// them, and milliseconds if cores are busy.
inline int threads_worth(int threads, std::size_t operations) { return operations < 1'000'000 ? 1 : threads; }

/// Progress report of inference.
struct InferenceStep {
  std::string_view phase;
  int iteration = 0, of = 0;  ///< `of`: maximum
  double bound = 0;           ///< or the log density of the labels, for methods without a bound
};

/// Receives a step; `posterior` returns what inference would return now.
using InferenceListener =
    std::function<void(const InferenceStep&, double seconds, const std::function<MixturePosterior()>& posterior)>;

/// Ends inference, receives every iteration, and counts seconds without its listener's time.
class InferenceWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// Seconds count from `start`.
  InferenceWatch(const Stop& stop, Clock::time_point start, InferenceListener listener)
      : stop_(stop), listener_(std::move(listener)), start_(start) {}

  const Stop& stop() const { return stop_; }
  bool stop_requested() const { return stop_.requested(); }
  double seconds() const { return seconds_since(start_) - listening_; }
  int last_iteration() const { return last_iteration_; }  ///< the last reported
  void report(const InferenceStep& step, const std::function<MixturePosterior()>& posterior) {
    last_iteration_ = step.iteration;
    if (!listener_) return;
    const Clock::time_point start = Clock::now();
    listener_(step, seconds(), posterior);
    listening_ += seconds_since(start);
  }

 private:
  const Stop& stop_;
  InferenceListener listener_;
  Clock::time_point start_;
  double listening_ = 0;
  int last_iteration_ = 0;
};

/// Means of sequences in fits without them.
struct LeftOut {
  std::vector<std::size_t> sequences = {};  ///< ascending
  RowMatrix means = {};                     ///< their items x |V|
};

struct FittedPosterior {
  MixturePosterior posterior;
  std::optional<Sites> sites = {};  ///< if the posterior is one Gaussian: it is the prior times these
  LeftOut left_out = {};            ///< if means are by attributes
  FitSummary summary;
};

}  // namespace fovea::gp
