// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/kernel_learning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {
namespace {

constexpr double kLogDifference = 1e-4;  // of log parameters
/// Maximum number of tasks; each has sums of its own, an M x M matrix among them.
constexpr std::size_t kMostGradientTasks = 4;

/// k with one parameter slightly larger and slightly smaller.
struct Neighbours {
  Neighbours(const Covariance& covariance, std::size_t parameter) : above(covariance), below(covariance) {
    std::vector<double> values = covariance.parameters();
    const double value = values[parameter];
    values[parameter] = value * std::exp(kLogDifference);
    above.set_parameters(values);
    values[parameter] = value * std::exp(-kLogDifference);
    below.set_parameters(values);
  }

  /// sum of slopes * d k(x, y) / d log parameter.
  double weighted(const SparseRows& x, const SparseRows& y, const RowMatrix& slopes) const {
    RowMatrix high(slopes.rows(), slopes.cols()), low = high;
    above.cross(x, y, view(high));
    below.cross(x, y, view(low));
    return slopes.cwiseProduct(high - low).sum() / (2 * kLogDifference);
  }

  Covariance above, below;
};

/// Slopes of the sequences [begin, end) under all components.
class BlockSlopes {
 public:
  BlockSlopes(const InferenceProblem& problem, const InducingPoints& points, std::size_t begin, std::size_t end)
      : problem_(problem),
        begin_(begin),
        end_(end),
        first_(problem.projected.begin(begin)),
        rows_(problem.projected.rows().middleRows(index(first_), index(problem.projected.begin(end) - first_))),
        projected_(RowMatrix::Zero(rows_.rows(), index(points.size()))),
        own_(RowMatrix::Zero(rows_.rows(), rows_.rows())) {}

  /// Returns <log p> under a component, times its weight.
  double add(const PosteriorComponent& component, std::size_t k, const SequenceEstimate& estimate) {
    std::vector<SequenceGaussian> gaussians(end_ - begin_, {{}, {}, &component.pairwise});
    for_each_latent(problem_.projected, component.unary, begin_, end_,
                    [&](std::size_t n, std::size_t, LatentGaussian& latent) {
                      gaussians[n - begin_].means.push_back(latent.mean);
                      gaussians[n - begin_].factors.push_back(latent.factor);
                    });
    double value = 0;
    std::vector<SequenceExpectation> expectations;
    for (std::size_t n = begin_; n < end_; ++n) {
      expectations.push_back(estimate(n, gaussians[n - begin_], k));
      value += component.weight * expectations.back().value;
    }
    for (std::size_t j = 0; j < component.unary.labels(); ++j) add_label(component, j, expectations);
    return value;
  }

  const RowMatrix& by_projected() const { return projected_; }  ///< d/dA, items x M
  const RowMatrix& by_own() const { return own_; }              ///< d/dK_NN, items x items
  RowMatrix rows() const { return rows_.cast<double>(); }       ///< A
  SparseRows features() const {
    return rows_between(problem_.sequences, problem_.sequences.begin[begin_], problem_.sequences.begin[end_]);
  }

 private:
  void add_label(const PosteriorComponent& component, std::size_t j,
                 const std::vector<SequenceExpectation>& expectations) {
    LargeColumns spread = rows_.transpose();  // becomes (S - I) A^T
    solve_lower(component.unary.factor(j), spread);
    component.unary.factor(j).triangularView<Eigen::Lower>().transpose().solveInPlace(spread);
    spread -= rows_.transpose();
    for (std::size_t n = begin_; n < end_; ++n) {
      const Index at = index(problem_.projected.begin(n) - first_), length = index(problem_.projected.length(n));
      const ColumnMatrix slopes = component.weight * expectations[n - begin_].covariances[j];
      own_.block(at, at, length, length) += slopes;
      projected_.middleRows(at, length) +=
          component.weight * expectations[n - begin_].means[j] * component.unary.means().row(index(j)) +
          2 * slopes * spread.middleCols(at, length).transpose().cast<double>();
    }
  }

  const InferenceProblem& problem_;
  std::size_t begin_, end_, first_;
  LargeRows rows_;
  RowMatrix projected_, own_;
};

/// Sums of one task.
struct Sums {
  double value = 0;
  std::vector<double> gradient;
  RowMatrix by_factor;  // d/dL
};

}  // namespace

double kernel_gradient(const InferenceProblem& problem, const InducingPoints& points, const MixturePosterior& posterior,
                       const SequenceEstimate& estimate, std::span<double> gradient) {
  std::vector<Neighbours> neighbours;
  for (std::size_t p = 0; p < gradient.size(); ++p) neighbours.emplace_back(points.covariance(), p);
  const std::vector<std::size_t> blocks = sequence_blocks(problem.projected, 0, problem.projected.sequence_count());
  const std::size_t count = blocks.size() - 1, grain = (count + kMostGradientTasks - 1) / kMostGradientTasks;
  std::vector<Sums> tasks((count + grain - 1) / grain);
  parallel_for(count, grain, problem.threads, [&](std::size_t begin, std::size_t end) {
    Sums& sums = tasks[begin / grain];
    sums.gradient.assign(gradient.size(), 0);
    sums.by_factor = RowMatrix::Zero(index(points.size()), index(points.size()));
    for (std::size_t b = begin; b < end; ++b) {
      BlockSlopes block(problem, points, blocks[b], blocks[b + 1]);
      for (std::size_t k = 0; k < posterior.size(); ++k) sums.value += block.add(posterior[k], k, estimate);
      const RowMatrix by_cross = points.coefficients(block.by_projected());
      sums.by_factor.noalias() -= by_cross.transpose() * block.rows();
      const SparseRows features = block.features();
      for (std::size_t p = 0; p < gradient.size(); ++p)
        sums.gradient[p] += neighbours[p].weighted(features, points.points(), by_cross) +
                            neighbours[p].weighted(features, features, block.by_own());
    }
  });
  RowMatrix by_factor = RowMatrix::Zero(index(points.size()), index(points.size()));
  std::fill(gradient.begin(), gradient.end(), 0);
  double value = 0;
  for (const Sums& sums : tasks) {
    value += sums.value;
    by_factor += sums.by_factor;
    for (std::size_t p = 0; p < gradient.size(); ++p) gradient[p] += sums.gradient[p];
  }
  const RowMatrix by_points = covariance_slopes<RowMatrix>(points.factor(), by_factor);
  for (std::size_t p = 0; p < gradient.size(); ++p)
    gradient[p] += neighbours[p].weighted(points.points(), points.points(), by_points);
  return value;
}

namespace {

constexpr int kTrials = 6;
constexpr double kMostLog = 30;  // of a parameter: far beyond useful values, and finite

/// Minus the bound, as a function of log parameters.
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
    constexpr double kRefused = std::numeric_limits<double>::infinity();  // no line search accepts it
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
