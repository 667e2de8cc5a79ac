// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "fovea/base/sparse_rows.h"
#include "fovea/gp/matrix/dense.h"

namespace fovea::gp {

/// Means of the latent functions of a linear covariance by a weight for every feature, E[f_j(x)] = x^T w_j, with
/// variances by inducing points: as many parameters as a linear model, however few the points (Cheng, Boots (2017),
/// "Variational inference for Gaussian process models with linear complexity").
class AttributeMeans {
 public:
  AttributeMeans(std::size_t columns, std::size_t labels) : labels_(labels), weights_(columns * labels) {}
  AttributeMeans(std::vector<float> weights, std::size_t labels) : labels_(labels), weights_(std::move(weights)) {}

  std::size_t labels() const { return labels_; }
  std::size_t columns() const { return weights_.size() / labels_; }
  const std::vector<float>& weights() const { return weights_; }  ///< [column][label]
  std::vector<float>& weights() { return weights_; }

  /// E[f] at rows [begin, end), rows x |V|. Columns without weights count as 0.
  RowMatrix at(const SparseRows& rows, std::size_t begin, std::size_t end) const;
  double squared_norm() const;

 private:
  std::size_t labels_;
  std::vector<float> weights_;
};

/// Contribution of each item to the latent functions there: a Gaussian factor exp(linear f - precision f^2 / 2) for
/// each label (Khan, Lin (2017), "Conjugate-computation variational inference").
struct Sites {
  RowMatrix precision;  ///< items x |V|, >= 0
  RowMatrix linear;     ///< items x |V|
};

/// q(v_j) = N(mean_j, (F_j F_j^T)^{-1}) of the whitened inducing variables of each label j; independent across labels.
/// It may also be a point, such as a draw of a Markov chain.
class UnaryPosterior {
 public:
  UnaryPosterior() = default;
  /// The prior: N(0, I).
  UnaryPosterior(std::size_t labels, std::size_t inducing_points);
  /// Prior times sites: F_j F_j^T = I + sum_t precision_tj a_t a_t^T, mean_j = (F_j F_j^T)^{-1} sum_t linear_tj a_t.
  /// `projected`: items x M. O(items of precision > 0 * M^2 * |V|).
  UnaryPosterior(const LargeRows& projected, const Sites& sites, int threads);
  /// From stored numbers: |V| x M, and |V| lower triangles, M x M; without triangles a point, which has no covariance.
  explicit UnaryPosterior(RowMatrix means, std::vector<LargeColumns> factors = {})
      : means_(std::move(means)), factors_(std::move(factors)) {}

  std::size_t labels() const { return size(means_.rows()); }
  bool is_point() const { return factors_.empty(); }
  std::size_t inducing_points() const { return size(means_.cols()); }
  const RowMatrix& means() const { return means_; }                                ///< |V| x M
  const LargeColumns& factor(std::size_t label) const { return factors_[label]; }  ///< F_j; not for a point

  /// The same posterior with these means of the latent functions instead of those given by `means`.
  UnaryPosterior with_means(AttributeMeans attribute_means) const {
    UnaryPosterior result = *this;
    result.attribute_means_ = std::make_shared<const AttributeMeans>(std::move(attribute_means));
    return result;
  }
  /// Null if means are by inducing points.
  const AttributeMeans* attribute_means() const { return attribute_means_.get(); }

  /// KL(q || prior), nats, summed over labels. In terms of sites it is
  ///   (sum_j log det F_j F_j^T + |mean_j|^2 - sum_tj precision_tj a_t^T (F_j F_j^T)^{-1} a_t) / 2,
  /// where the caller supplies the last sum, precisions times variances.
  double divergence(double precisions_times_variances) const;

 private:
  RowMatrix means_;
  std::vector<LargeColumns> factors_;
  std::shared_ptr<const AttributeMeans> attribute_means_;
};

/// q of the pairwise function, |V|^2 scores: independent Gaussians; the prior is N(0, prior_variance) for each.
struct PairwisePosterior {
  PairwisePosterior() = default;
  PairwisePosterior(std::size_t labels, double variance)
      : means(labels * labels), deviations(labels * labels, std::sqrt(variance)), prior_variance(variance) {}

  std::vector<double> means;       ///< [previous label][label]
  std::vector<double> deviations;  ///< the same; all 0 for a draw of a Markov chain
  double prior_variance = 1;

  /// KL(q || prior), nats: equation (33) with |V|^2 subtracted.
  double divergence() const {
    double sum = 0;
    for (std::size_t e = 0; e < means.size(); ++e) {
      const double ratio = deviations[e] * deviations[e] / prior_variance;
      sum += .5 * (ratio + means[e] * means[e] / prior_variance - 1 - std::log(ratio));
    }
    return sum;
  }
};

/// One component of q(u, pairwise).
struct PosteriorComponent {
  double weight = 1;
  UnaryPosterior unary;
  PairwisePosterior pairwise;
};

/// q(u, pairwise) = sum_k weight_k q_k(u) q_k(pairwise), equation (16); weights sum to 1. One Gaussian, a mixture of
/// them, or draws of a Markov chain.
using MixturePosterior = std::vector<PosteriorComponent>;

/// Prior times sites as a sum from which sites can be removed and to which others can be added, at a cost that does not
/// depend on the total number. Rounding errors add up in single precision, so compute the posterior anew at the end.
class RunningPosterior {
 public:
  /// The prior.
  RunningPosterior(std::size_t labels, std::size_t points);

  /// `rows`: the items' projected features. O(items * M^2 * |V|).
  void replace(const Eigen::Ref<const LargeRows>& rows, const Sites& before, const Sites& after, int threads);
  /// O(|V| M^3).
  UnaryPosterior posterior(int threads) const;
  /// log of the integral of prior times sites, up to a constant; `posterior` must be the result of posterior().
  double log_evidence(const UnaryPosterior& posterior) const;

 private:
  std::vector<LargeColumns> precisions_;  // [label] lower triangle
  RowMatrix linear_;                      // |V| x M
};

}  // namespace fovea::gp
