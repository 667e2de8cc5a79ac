// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/pairwise_fit.h"

namespace fovea::gp {
namespace {

/// Minus the bound, up to a constant: x = means, then log deviations.
class PairwiseObjective {
 public:
  using Real = double;

  PairwiseObjective(const PairwiseExpectation& expected, const PairwiseFactors& others, PairwisePosterior& posterior)
      : expected_(expected), others_(others), posterior_(posterior) {}

  std::size_t dimension() const { return 2 * posterior_.means.size(); }
  std::vector<double> start() const {
    std::vector<double> x = posterior_.means;
    for (const double deviation : posterior_.deviations) x.push_back(std::log(deviation));
    return x;
  }
  void move_to(std::span<const double> x) {
    const std::size_t n = posterior_.means.size();
    std::copy_n(x.begin(), n, posterior_.means.begin());
    for (std::size_t e = 0; e < n; ++e) posterior_.deviations[e] = std::exp(x[n + e]);
  }

  double evaluate(std::span<const double> x, std::span<double> gradient) {
    const std::size_t n = posterior_.means.size();
    move_to(x);
    double value = -expected_(posterior_, gradient.first(n), gradient.subspan(n));
    for (std::size_t e = 0; e < n; ++e) {
      const double mean = posterior_.means[e], variance = posterior_.deviations[e] * posterior_.deviations[e],
                   precision = others_.precision[e], linear = others_.linear[e];
      value += .5 * precision * (variance + mean * mean) - linear * mean - x[n + e];
      gradient[e] = precision * mean - linear - gradient[e];
      gradient[n + e] = precision * variance - 1 - gradient[n + e];
    }
    return value;
  }

 private:
  const PairwiseExpectation& expected_;
  const PairwiseFactors& others_;
  PairwisePosterior& posterior_;
};

}  // namespace

PairwiseFactors PairwiseFactors::prior_of(const PairwisePosterior& posterior) {
  const std::size_t n = posterior.means.size();
  return {std::vector<double>(n, 1 / posterior.prior_variance), std::vector<double>(n)};
}

PairwiseFactors PairwiseFactors::of(const PairwisePosterior& posterior) {
  PairwiseFactors result;
  for (std::size_t e = 0; e < posterior.means.size(); ++e) {
    result.precision.push_back(1 / (posterior.deviations[e] * posterior.deviations[e]));
    result.linear.push_back(result.precision[e] * posterior.means[e]);
  }
  return result;
}

PairwiseFactors& PairwiseFactors::operator-=(const PairwiseFactors& other) {
  for (std::size_t e = 0; e < precision.size(); ++e) {
    precision[e] -= other.precision[e];
    linear[e] -= other.linear[e];
  }
  return *this;
}

void fit_pairwise(const PairwiseExpectation& expected, const PairwiseFactors& others,
                  const optimize::LbfgsOptions& options, PairwisePosterior& posterior,
                  const std::function<bool()>& go_on) {
  PairwiseObjective objective(expected, others, posterior);
  std::vector<double> x = objective.start();
  optimize::minimize_lbfgs(objective, std::span(x), options, {},
                           [&](const optimize::IterationRecord&) { return go_on(); });
  objective.move_to(x);
}

void fit_pairwise(const ExpectedLikelihood& expected, const PairwiseFactors& others, int iterations,
                  PairwisePosterior& posterior) {
  optimize::LbfgsOptions options;
  options.stopping.max_iterations = iterations;
  fit_pairwise([&](const PairwisePosterior& q, std::span<double> means,
                   std::span<double> log_deviations) { return expected.pairwise_gradients(q, means, log_deviations); },
               others, options, posterior, [] { return true; });
}

}  // namespace fovea::gp
