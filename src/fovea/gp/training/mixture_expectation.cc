// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/mixture_expectation.h"

namespace fovea::gp {

ProjectedComponent::ProjectedComponent(const InferenceProblem& problem, const UnaryGaussian& component,
                                       std::size_t begin, std::size_t end)
    : problem_(problem),
      component_(component),
      begin_(begin),
      end_(end),
      first_(index(problem.projected.begin(begin))),
      items_(index(problem.projected.begin(end)) - first_) {
  const auto rows = problem.projected.rows().middleRows(first_, items_);
  means_ = project(rows, component.means);
  for (Index j = 0; j < component.means.rows(); ++j) {
    LargeColumns& spread = spread_.emplace_back();
    if (component.is_diagonal())
      spread = component.deviations.row(j).transpose().cast<float>().asDiagonal() * rows.transpose();
    else multiply(component.factors[size(j)].transpose().cast<float>(), rows.transpose(), spread);
  }
}

SequenceGaussian ProjectedComponent::at(std::size_t sequence, const PairwisePosterior& pairwise) const {
  const Index at = index(problem_.projected.begin(sequence)) - first_,
              length = index(problem_.projected.length(sequence));
  SequenceGaussian result;
  result.pairwise = &pairwise;
  for (std::size_t j = 0; j < spread_.size(); ++j) {
    const auto part = spread_[j].middleCols(at, length);
    LatentGaussian latent;
    latent.inducing_covariance = (part.transpose() * part).cast<double>();
    latent.factorize(problem_.projected.residual(sequence));
    result.means.push_back(means_.col(index(j)).segment(at, length));
    result.factors.push_back(std::move(latent.factor));
  }
  return result;
}

void ProjectedComponent::add_gradient(std::span<const SequenceExpectation> expectations, double weight,
                                      UnaryGaussian& gradient) const {
  const LargeRows rows = problem_.projected.rows().middleRows(first_, items_);
  RowMatrix mean_slopes(items_, means_.cols());
  LargeColumns slopes(component_.means.cols(), items_), product;  // (d/dSigma_n A_n L)^T
  for (std::size_t j = 0; j < spread_.size(); ++j) {
    for (std::size_t n = begin_; n < end_; ++n) {
      const Index at = index(problem_.projected.begin(n)) - first_, length = index(problem_.projected.length(n));
      const SequenceExpectation& expectation = expectations[n - begin_];
      mean_slopes.col(index(j)).segment(at, length) = weight * expectation.means[j];
      slopes.middleCols(at, length) =
          spread_[j].middleCols(at, length) * (2 * weight * expectation.covariances[j]).cast<float>();
    }
    if (component_.is_diagonal()) {
      gradient.deviations.row(index(j)) +=
          slopes.cwiseProduct(rows.transpose()).rowwise().sum().transpose().cast<double>();
    } else {
      multiply_transposed(rows.transpose(), slopes, product);
      gradient.factors[j].triangularView<Eigen::Lower>() += product.cast<double>();
    }
  }
  gradient.means += back_project(rows, mean_slopes);
}

}  // namespace fovea::gp
