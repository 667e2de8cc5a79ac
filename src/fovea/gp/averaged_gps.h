// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/gp/structured_gp.h"

namespace fovea::gp {

/// Weights of mixtures of predictions, which sum to 1: those under which labels that were left out are likeliest,
///   argmax_w sum_t log sum_k w_k p_k(y_t),
/// found by expectation maximisation (Yao, Vehtari, Simpson, Gelman (2018), "Using stacking to average Bayesian
/// predictive distributions"). `probabilities`: [predictor][item]; an item counts only where all are numbers. Equal
/// weights without such items.
std::vector<double> stacking_weights(std::span<const std::vector<double>> probabilities);

/// One fitted process, or several with different covariances whose marginals are averaged.
class AveragedGps {
 public:
  struct Member {
    StructuredGp process;
    double weight = 1;
  };

  AveragedGps() = default;
  /// Holds one process, of weight 1.
  explicit AveragedGps(StructuredGp process);
  /// Weights are positive and sum to 1; all members have the same labels.
  explicit AveragedGps(std::vector<Member> members) : members_(std::move(members)) {}

  const std::vector<Member>& members() const { return members_; }
  std::size_t label_count() const { return members_.empty() ? 0 : members_[0].process.label_count(); }
  /// The only member's process, which is taken. Throws UsageError if there are several.
  StructuredGp release_only();

  /// As those of StructuredGp: averages of marginals, and moments of the mixture.
  Prediction predict(const Sequences& sequences, int draws = StructuredGp::kPredictionDraws, int threads = 0) const;
  LatentMoments latent_moments(const Sequences& sequences, Labels labels, int threads = 0) const;

  /// Adds sections whose names begin with `prefix`. Throws UsageError for a covariance function without a text.
  void save(ContainerWriter& writer, std::string_view prefix) const;
  /// Throws InputError if sections do not fit each other or hold numbers that are not finite.
  static AveragedGps load(const Container& container, std::string_view prefix,
                          std::shared_ptr<const Likelihood> likelihood);

 private:
  std::vector<Member> members_;
};

}  // namespace fovea::gp
