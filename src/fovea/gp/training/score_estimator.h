// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <span>
#include <vector>

#include "fovea/gp/training/inference.h"

namespace fovea::gp {

/// The latent functions at one sequence under one component of the posterior, f_j = mean_j + factor_j z, equation (18),
/// and the pairwise function.
struct SequenceGaussian {
  std::vector<Vector> means;          ///< [label], T_n
  std::vector<ColumnMatrix> factors;  ///< [label], lower, T_n x T_n
  const PairwisePosterior* pairwise = nullptr;
};

/// <log p(y_n | f)> under a SequenceGaussian, and its gradient.
struct SequenceExpectation {
  double value = 0;
  std::vector<Vector> means;                                    ///< [label] d / d mean_j, T_n
  std::vector<ColumnMatrix> covariances;                        ///< [label] d / d Sigma_j, symmetric, T_n x T_n
  std::vector<double> pairwise_means, pairwise_log_deviations;  ///< |V| x |V|
};

struct ScoreEstimatorOptions {
  std::size_t draws = 10000;
  bool control_variates = true;
};

/// Gradients of the expected log likelihood from its values alone, by the paper's estimator: with g = grad log q,
///   grad <log p> = <g (log p - a)>,   equations (10) to (12), (53) to (61), (66), (67),
/// where a = cov(g log p, g) / var(g), for each coordinate, comes from the first tenth of the draws and the estimate
/// from the others, so that the estimate is unbiased. In terms of z ~ N(0, I) the scores of mean and covariance are
/// C^{-T} z and C^{-T} (z z^T - I) C^{-1} / 2; control variates are those of z and of z z^T - I.
///
/// Thread-safe.
class ScoreEstimator {
 public:
  /// `problem` must outlive this.
  ScoreEstimator(const InferenceProblem& problem, ScoreEstimatorOptions options, Random random);

  /// O(draws * (log p + T_n^2 |V|)). `noise` names the draws: equal values give a function of q. `threads` share the
  /// draws of one sequence. Without `wants_unary` the members for the latent functions stay empty; likewise
  /// `wants_pairwise` for the pairwise function.
  SequenceExpectation estimate(std::size_t sequence, const SequenceGaussian& q, std::uint64_t noise, bool wants_unary,
                               bool wants_pairwise, int threads) const;

 private:
  struct Sums;
  struct Shape;
  const float* normals(const Random& random, std::size_t count) const;
  void add_chunk(const Shape& shape, std::size_t chunk, Sums& sums) const;

  const InferenceProblem& problem_;
  ScoreEstimatorOptions options_;
  Random random_;
  std::size_t chunk_;           // number of draws processed together: at most a tenth
  std::vector<float> normals_;  // a pool from which draws take stretches
};

}  // namespace fovea::gp
