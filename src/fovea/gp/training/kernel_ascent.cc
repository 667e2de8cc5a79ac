// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/kernel_ascent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {
namespace {

constexpr int kTrials = 6;
constexpr double kMostLog = 30;  // of a parameter: far beyond what is of use, and finite

/// Minus the bound, of log parameters.
class KernelObjective {
 public:
  using Real = double;
  KernelObjective(const InferenceProblem& problem, const InducingPoints& points, const KernelBound& bound)
      : problem_(problem), points_(points), bound_(bound) {}

  std::size_t dimension() const { return points_.covariance().parameters().size(); }

  /// Throws as InducingPoints does.
  InducingPoints at(std::span<const double> x) const {
    Covariance covariance = points_.covariance();
    std::vector<double> parameters;
    for (const double log : x) parameters.push_back(std::exp(log));
    covariance.set_parameters(parameters);
    return {covariance, points_.points()};
  }

  double evaluate(std::span<const double> x, std::span<double> gradient) {
    constexpr double kRefused = std::numeric_limits<double>::infinity();  // no line search takes it
    if (std::any_of(x.begin(), x.end(), [](double log) { return !(std::abs(log) < kMostLog); })) return kRefused;
    try {
      const InducingPoints points = at(x);
      const ProjectedSequences projected(problem_.sequences, points, problem_.threads);
      const InferenceProblem moved = {.sequences = problem_.sequences,
                                      .projected = projected,
                                      .likelihood = problem_.likelihood,
                                      .pairwise_variance = problem_.pairwise_variance,
                                      .threads = problem_.threads};
      const double value = bound_(moved, points, gradient);
      for (double& slope : gradient) slope = -slope;
      return -value;
    } catch (const InputError&) {  // a covariance that is not positive definite, or a likelihood that is not finite
      return kRefused;
    }
  }

 private:
  const InferenceProblem& problem_;
  const InducingPoints& points_;
  const KernelBound& bound_;
};

}  // namespace

InducingPoints ascend_kernel(const InferenceProblem& problem, const InducingPoints& points, const KernelBound& bound,
                             int iterations) {
  KernelObjective objective(problem, points, bound);
  std::vector<double> x;
  for (const double parameter : points.covariance().parameters()) x.push_back(std::log(parameter));
  if (x.empty()) return points;
  optimize::LbfgsOptions options;
  options.stopping.max_iterations = iterations;
  options.line_search_trials = kTrials;
  optimize::minimize_lbfgs(objective, std::span(x), options);
  return objective.at(x);
}

}  // namespace fovea::gp
