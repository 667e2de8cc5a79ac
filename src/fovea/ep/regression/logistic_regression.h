// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/ep/family/multivariate_gaussian.h"
#include "fovea/ep/operators/message_source.h"

namespace fovea::ep {

struct LogisticRegressionOptions {
  double prior_variance = 10;
  int iterations = 100;
  double max_marginal_kl = 1e-8;

  static void describe(auto&& visit) {
    using O = LogisticRegressionOptions;
    visit(&O::prior_variance,
          number_in(1e-12, 1e12, "prior-variance", "Prior variance of each weight, a Gaussian around 0."));
    visit(&O::iterations, number_in(1, 1e6, "iterations", "Maximum number of updates of all messages."));
    visit(&O::max_marginal_kl, number_in(0, 1, "max-marginal-kl",
                                         "Converged once no row's marginal changes by more than this in an update."));
  }
};

/// Rows of numbers, one after another, and the label observed for each.
struct LogisticData {
  std::size_t columns = 0;
  std::vector<double> values;  ///< [row][column]
  std::vector<bool> labels;    ///< [row]

  std::size_t rows() const { return labels.size(); }
  std::span<const double> row(std::size_t i) const { return {values.data() + i * columns, columns}; }
};

struct LogisticRegressionFit {
  MultivariateGaussian posterior = {};  ///< of the weights, [column]
  double log_evidence = 0;              ///< NaN if the fit was stopped amid an update, or before the first
  int iterations = 0;
  std::uint64_t messages = 0;      ///< computed by the logistic factor
  std::uint64_t skipped = 0;       ///< updates that would have been improper
  double largest_marginal_kl = 0;  ///< at the last update
  bool has_converged = false;
};

/// Bayesian logistic regression, p(y | x, w) = sigmoid(+-w . x) with w ~ N(0, prior_variance I), by expectation
/// propagation (Minka 2001). The posterior is the prior times a Gaussian message about w . x for each row. All messages
/// are updated at once, starting from those at the posterior's mode, until their marginals settle. O(rows columns^2)
/// per iteration, by blocks of rows on `run.threads` threads. Ends early, with the last whole posterior, if `run.stop`
/// requests it. Messages to w . x come from `logistic`, slot 1 of a factor with slots (probability, w . x).
LogisticRegressionFit fit_logistic(const LogisticData& data, const LogisticRegressionOptions& options,
                                   MessageSource& logistic, const Run& run = {});

/// The same with the messages of LogisticOperator.
LogisticRegressionFit fit_logistic(const LogisticData& data, const LogisticRegressionOptions& options,
                                   const Run& run = {});

/// p(y = 1 | row), averaged over the posterior of the weights.
class LogisticPredictor {
 public:
  explicit LogisticPredictor(const MultivariateGaussian& posterior);
  double probability(std::span<const double> row) const;

 private:
  std::vector<double> mean_, covariance_;
};

}  // namespace fovea::ep
