// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/ep/model/model.h"

namespace fovea::ep {

/// Common part of all inference algorithms: when they end, and what they report.
class InferenceRun {
 protected:
  using EdgeId = std::uint32_t;

  InferenceRun(Model& model, const InferenceOptions& options)
      : model_(model), options_(options), is_prediction_(model.predictions()) {}

  bool goes_on() const {
    return !result_.has_converged && result_.iterations < options_.iterations && !options_.stop.requested();
  }

  /// `is_waiting`: some messages could not be computed yet.
  void finish_iteration(double largest_marginal_kl, bool is_waiting) {
    ++result_.iterations;
    result_.largest_marginal_kl = largest_marginal_kl;
    result_.has_converged = largest_marginal_kl <= options_.max_marginal_kl && !is_waiting;
    if (options_.progress)
      options_.progress({.phase = "messages",
                         .done = static_cast<double>(result_.iterations),
                         .seconds = seconds_since(start_),
                         .figure = "largest marginal KL",
                         .value = largest_marginal_kl});
  }

  Posterior take_result() {
    Posterior all = model_.posterior();
    result_.marginals = std::move(all.marginals);
    result_.recalled = std::move(all.recalled);
    result_.seconds = seconds_since(start_);
    return std::move(result_);
  }

  bool is_known(std::uint32_t variable) const {
    return std::holds_alternative<Point>(model_.variables_[variable].base);
  }
  /// True if the factor's child is a prediction: its messages to parents are uniform, and integrate to 1.
  bool is_of_prediction(const Model::Factor& factor) const { return is_prediction_[factor.scope[0]]; }

  void skip(const Model::Factor& factor) { ++result_.skipped[std::string(factor.kind->factor().name())]; }

  Model& model_;
  const InferenceOptions& options_;
  const std::vector<bool> is_prediction_;  // [variable]
  Posterior result_;

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Runs variational message passing; defined in model/variational.cc.
Posterior infer_variational(Model& model, const InferenceOptions& options);

}  // namespace fovea::ep
