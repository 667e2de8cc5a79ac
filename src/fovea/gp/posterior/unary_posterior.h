// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "fovea/gp/matrix/dense.h"
#include "fovea/gp/posterior/attribute_means.h"

namespace fovea::gp {

/// What each item says of the latent functions there: a Gaussian factor exp(linear f - precision f^2 / 2) for each
/// label (Khan, Lin (2017), "Conjugate-computation variational inference").
struct Sites {
  RowMatrix precision;  ///< items x |V|, >= 0
  RowMatrix linear;     ///< items x |V|
};

/// q(v_j) = N(mean_j, (F_j F_j^T)^{-1}) of the whitened inducing variables of each label j; independent across labels.
/// Or a point, such as a draw of a Markov chain.
class UnaryPosterior {
 public:
  UnaryPosterior() = default;
  /// The prior: N(0, I).
  UnaryPosterior(std::size_t labels, std::size_t inducing_points);
  /// Prior times sites: F_j F_j^T = I + sum_t precision_tj a_t a_t^T, mean_j = (F_j F_j^T)^{-1} sum_t linear_tj a_t.
  /// `projected`: items x M. O(items of precision > 0 * M^2 * |V|).
  UnaryPosterior(const LargeRows& projected, const Sites& sites, int threads);
  /// As it was stored: |V| x M, and |V| lower triangles, M x M; without these a point, which has no covariance.
  explicit UnaryPosterior(RowMatrix means, std::vector<LargeColumns> factors = {})
      : means_(std::move(means)), factors_(std::move(factors)) {}

  std::size_t labels() const { return size(means_.rows()); }
  bool is_point() const { return factors_.empty(); }
  std::size_t inducing_points() const { return size(means_.cols()); }
  const RowMatrix& means() const { return means_; }                                ///< |V| x M
  const LargeColumns& factor(std::size_t label) const { return factors_[label]; }  ///< F_j; not of a point

  /// The same with these means of the latent functions instead of those that `means` make.
  UnaryPosterior with_means(AttributeMeans attribute_means) const {
    UnaryPosterior result = *this;
    result.attribute_means_ = std::make_shared<const AttributeMeans>(std::move(attribute_means));
    return result;
  }
  /// Null where means are by inducing points.
  const AttributeMeans* attribute_means() const { return attribute_means_.get(); }

  /// KL(q || prior), nats, summed over labels: by sites it is
  ///   (sum_j log det F_j F_j^T + |mean_j|^2 - sum_tj precision_tj a_t^T (F_j F_j^T)^{-1} a_t) / 2,
  /// whose last sum, precisions times variances, comes from whoever has the variances.
  double divergence(double precisions_times_variances) const;

 private:
  RowMatrix means_;
  std::vector<LargeColumns> factors_;
  std::shared_ptr<const AttributeMeans> attribute_means_;
};

}  // namespace fovea::gp
