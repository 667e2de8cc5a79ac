// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/saga_ascent.h"

#include "fovea/base/parallel.h"

namespace fovea::gp {
namespace {

constexpr int kStepsAReport = 100;
constexpr double kMeanRate = 1e-4, kCovarianceRate = 1e-5;

/// count * (fresh - stored): the estimate of the change over all sequences.
SequenceExpectation scaled_change(const SequenceExpectation& fresh, const SequenceExpectation& stored, double count) {
  SequenceExpectation change;
  for (std::size_t j = 0; j < fresh.means.size(); ++j) {
    change.means.push_back(count * (fresh.means[j] - stored.means[j]));
    change.covariances.push_back(count * (fresh.covariances[j] - stored.covariances[j]));
  }
  return change;
}

}  // namespace

SagaAscent::SagaAscent(const InferenceProblem& problem, const ScoreEstimator& estimator, VariationalMixture start,
                       Random random, const Stop& stop)
    : problem_(problem),
      estimator_(estimator),
      mixture_(std::move(start)),
      random_(random),
      stored_(mixture_.components.size(), std::vector<SequenceExpectation>(sequence_count())),
      pairwise_sum_(2 * mixture_.pairwise.means.size()),
      stored_pairwise_(sequence_count(), std::vector<double>(pairwise_sum_.size())) {
  const Index labels = index(problem.labels()), points = index(problem.points());
  const bool diagonal = mixture_.components[0].is_diagonal();
  StoredSum zero = {RowMatrix::Zero(labels, points), {}, {}};
  if (diagonal) zero.variances = RowMatrix::Zero(labels, points);
  else zero.covariances.assign(problem.labels(), LargeColumns::Zero(points, points));
  sums_.assign(mixture_.components.size(), zero);
  for (; filled_ < sequence_count() && !stop.requested(); ++filled_)
    for (std::size_t k = 0, n = filled_; k < stored_.size(); ++k) {
      SequenceExpectation expectation = look_at(n, k, true, true);
      for (std::size_t e = 0; e < expectation.pairwise_means.size(); ++e) {
        stored_pairwise_[n][e] += mixture_.weights[k] * expectation.pairwise_means[e];
        stored_pairwise_[n][expectation.pairwise_means.size() + e] +=
            mixture_.weights[k] * expectation.pairwise_log_deviations[e];
      }
      add_to_sum(n, expectation, sums_[k]);
      stored_[k][n] = std::move(expectation);
    }
  for (const std::vector<double>& stored : stored_pairwise_)
    for (std::size_t e = 0; e < stored.size(); ++e) pairwise_sum_[e] += stored[e];
}

SequenceExpectation SagaAscent::look_at(std::size_t sequence, std::size_t component, bool wants_unary,
                                        bool wants_pairwise) {
  const ProjectedComponent projected(problem_, mixture_.components[component], sequence, sequence + 1);
  return estimator_.estimate(sequence, projected.at(sequence, mixture_.pairwise), ++looks_, wants_unary, wants_pairwise,
                             problem_.threads);
}

void SagaAscent::add_to_sum(std::size_t sequence, const SequenceExpectation& change, StoredSum& sum) const {
  const Index first = index(problem_.projected.begin(sequence)), length = index(problem_.projected.length(sequence));
  const LargeRows rows = problem_.projected.rows().middleRows(first, length);
  const LargeColumns columns = rows.transpose();
  RowMatrix means(length, sum.means.rows());
  for (std::size_t j = 0; j < change.means.size(); ++j) means.col(index(j)) = change.means[j];
  sum.means += back_project(rows, means);
  const std::size_t operations = change.covariances.size() * size(length) * problem_.points() * problem_.points();
  parallel_for(
      change.covariances.size(), 1, threads_worth(problem_.threads, operations), [&](std::size_t j, std::size_t) {
        const LargeColumns slopes = columns * change.covariances[j].cast<float>();
        if (sum.covariances.empty()) {
          sum.variances.row(index(j)) += slopes.cwiseProduct(columns).rowwise().sum().transpose().cast<double>();
        } else {
          LargeColumns product;
          multiply_transposed(slopes, columns, product);
          sum.covariances[j] += product;
        }
      });
}

/// Adds the gradient of a stored sum: dL = 2 lower(dS L).
void SagaAscent::add_sum_gradient(const StoredSum& sum, const UnaryGaussian& component, double weight,
                                  UnaryGaussian& gradient) const {
  gradient.means += weight * sum.means;
  if (component.is_diagonal()) gradient.deviations += 2 * weight * sum.variances.cwiseProduct(component.deviations);
  const std::size_t operations = component.factors.size() * problem_.points() * problem_.points() * problem_.points();
  parallel_for(component.factors.size(), 1, threads_worth(problem_.threads, operations),
               [&](std::size_t j, std::size_t) {
                 LargeColumns product;
                 multiply(sum.covariances[j], component.factors[j].cast<float>(), product);
                 gradient.factors[j].triangularView<Eigen::Lower>() += 2 * weight * product.cast<double>();
               });
}

void SagaAscent::step_unary(std::size_t sequence) {
  MixtureGradient gradient(mixture_);
  add_negative_divergence(mixture_, gradient);
  for (std::size_t k = 0; k < stored_.size(); ++k) {
    const UnaryGaussian& component = mixture_.components[k];
    const ProjectedComponent projected(problem_, component, sequence, sequence + 1);
    SequenceExpectation fresh = estimator_.estimate(sequence, projected.at(sequence, mixture_.pairwise), ++looks_, true,
                                                    false, problem_.threads);
    SequenceExpectation& stored = stored_[k][sequence];
    const SequenceExpectation change = scaled_change(fresh, stored, static_cast<double>(sequence_count()));
    projected.add_gradient(std::span(&change, 1), mixture_.weights[k], gradient.components[k]);
    add_sum_gradient(sums_[k], component, mixture_.weights[k], gradient.components[k]);
    add_to_sum(sequence, scaled_change(fresh, stored, 1), sums_[k]);
    stored = std::move(fresh);
    for (const SequenceExpectation& each : stored_[k]) gradient.weights[k] += each.value;
  }
  take_unary_step(gradient);
}

/// Takes a step along the gradient in the coordinates of packed(): diagonals of factors and deviations by their
/// logarithms.
void SagaAscent::take_unary_step(const MixtureGradient& gradient) {
  if (mixture_.weights.size() > 1) {
    double mean = 0, sum = 0;
    for (std::size_t k = 0; k < mixture_.weights.size(); ++k) mean += mixture_.weights[k] * gradient.weights[k];
    for (std::size_t k = 0; k < mixture_.weights.size(); ++k)
      sum += mixture_.weights[k] *= std::exp(kMeanRate * mixture_.weights[k] * (gradient.weights[k] - mean));
    for (double& weight : mixture_.weights) weight /= sum;
  }
  for (std::size_t k = 0; k < mixture_.components.size(); ++k) {
    UnaryGaussian& component = mixture_.components[k];
    const UnaryGaussian& slopes = gradient.components[k];
    component.means += kMeanRate * slopes.means;
    component.deviations.array() *= (kCovarianceRate * slopes.deviations.array() * component.deviations.array()).exp();
    const std::size_t operations = component.factors.size() * problem_.points() * problem_.points();
    parallel_for(
        component.factors.size(), 1, threads_worth(problem_.threads, operations), [&](std::size_t j, std::size_t) {
          ColumnMatrix& factor = component.factors[j];
          const Vector diagonal = factor.diagonal();
          factor.triangularView<Eigen::StrictlyLower>() += kCovarianceRate * slopes.factors[j];
          factor.diagonal() =
              diagonal.array() * (kCovarianceRate * slopes.factors[j].diagonal().array() * diagonal.array()).exp();
        });
  }
}

void SagaAscent::step_pairwise(std::size_t sequence) {
  PairwisePosterior& q = mixture_.pairwise;
  const std::size_t pairs = q.means.size();
  std::vector<double> fresh(2 * pairs);
  for (std::size_t k = 0; k < stored_.size(); ++k) {
    const SequenceExpectation expectation = look_at(sequence, k, false, true);
    stored_[k][sequence].value = expectation.value;
    for (std::size_t e = 0; e < pairs; ++e) {
      fresh[e] += mixture_.weights[k] * expectation.pairwise_means[e];
      fresh[pairs + e] += mixture_.weights[k] * expectation.pairwise_log_deviations[e];
    }
  }
  const double count = static_cast<double>(sequence_count());
  std::vector<double>& stored = stored_pairwise_[sequence];
  const auto slope = [&](std::size_t e) { return count * (fresh[e] - stored[e]) + pairwise_sum_[e]; };
  for (std::size_t e = 0; e < pairs; ++e) {
    const double variance = q.deviations[e] * q.deviations[e];
    q.means[e] += kMeanRate * (slope(e) - q.means[e] / q.prior_variance);
    q.deviations[e] *= std::exp(kCovarianceRate * (slope(pairs + e) - variance / q.prior_variance + 1));
  }
  for (std::size_t e = 0; e < 2 * pairs; ++e) pairwise_sum_[e] += fresh[e] - stored[e];
  stored = std::move(fresh);
}

void SagaAscent::move_unary(const std::function<bool()>& go_on) {
  for (int step = 1; step <= kUnarySteps; ++step) {
    ++steps_;
    step_unary(random_.uniform_index(static_cast<std::uint32_t>(sequence_count())));
    if (step % kStepsAReport == 0 && !go_on()) return;
  }
}

void SagaAscent::move_pairwise(const std::function<bool()>& go_on) {
  for (int step = 1; step <= kPairwiseSteps; ++step) {
    ++steps_;
    step_pairwise(random_.uniform_index(static_cast<std::uint32_t>(sequence_count())));
    if (step % kStepsAReport == 0 && !go_on()) return;
  }
}

Bound SagaAscent::bound() const {
  MixtureGradient ignored(mixture_);
  Bound bound = {.unary_divergence = -add_negative_divergence(mixture_, ignored),
                 .pairwise_divergence = mixture_.pairwise.divergence()};
  for (std::size_t k = 0; k < stored_.size(); ++k)
    for (const SequenceExpectation& each : stored_[k])
      bound.expected_log_likelihood += mixture_.weights[k] * each.value;
  if (filled_ > 0)
    bound.expected_log_likelihood *= static_cast<double>(sequence_count()) / static_cast<double>(filled_);
  return bound;
}

}  // namespace fovea::gp
