// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/pathwise_estimator.h"

#include "fovea/base/error.h"
#include "fovea/gp/posterior/pairwise_draws.h"
#include "fovea/gp/training/expectations.h"

namespace fovea::gp {

PathwiseEstimator::PathwiseEstimator(const InferenceProblem& problem, std::size_t draws, Random random)
    : problem_(problem), draws_(draws), random_(random) {
  FOVEA_CHECK(draws % 2 == 0);
}

SequenceExpectation PathwiseEstimator::estimate(std::size_t sequence, const SequenceGaussian& q,
                                                std::size_t component) const {
  const std::size_t labels = q.means.size(), length = size(q.means[0].size()), half = draws_ / 2;
  Random random = random_.child("component", component).child("sequence", sequence);
  const PairwiseDraws pairwise_draws(labels, draws_, random.child("pairwise"), half);
  SequenceExpectation result;
  std::vector<ColumnMatrix> normals(labels, ColumnMatrix(index(length), index(half))), factor_slopes;
  for (std::size_t j = 0; j < labels; ++j) {
    for (double& normal : normals[j].reshaped()) normal = random.normal();
    result.means.push_back(Vector::Zero(index(length)));
    factor_slopes.push_back(ColumnMatrix::Zero(index(length), index(length)));
  }
  std::vector<double> pairwise(labels * labels);
  RowMatrix scores(index(length), index(labels)), slopes = scores;
  const double weight = 1 / static_cast<double>(draws_);
  for (std::size_t s = 0; s < draws_; ++s) {
    const double sign = s < half ? 1 : -1;
    const Index draw = index(s % half);
    for (std::size_t j = 0; j < labels; ++j)
      scores.col(index(j)) = q.means[j] + q.factors[j].triangularView<Eigen::Lower>() * (sign * normals[j].col(draw));
    pairwise_draws.draw(*q.pairwise, 0, s, pairwise);
    result.value +=
        weight * require_finite(problem_.likelihood.gradients(view(scores), {pairwise.data(), labels, labels},
                                                              problem_.sequences.labels_of(sequence),
                                                              {.unary = view(slopes), .pairwise = {}, .curvature = {}}),
                                sequence);
    for (std::size_t j = 0; j < labels; ++j) {
      result.means[j] += weight * slopes.col(index(j));
      factor_slopes[j] += sign * weight * slopes.col(index(j)) * normals[j].col(draw).transpose();
    }
  }
  for (std::size_t j = 0; j < labels; ++j)
    result.covariances.push_back(covariance_slopes<ColumnMatrix>(q.factors[j], factor_slopes[j]));
  return result;
}

}  // namespace fovea::gp
