// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <vector>

#include "fovea/gp/training/inference.h"

namespace fovea::gp {

/// A point in the space of everything that is Gaussian a priori.
struct LatentState {
  RowMatrix inducing;            ///< |V| x M, whitened
  RowMatrix unary;               ///< items x |V|, the functions' values
  std::vector<double> pairwise;  ///< |V| x |V|
};

/// The prior of latent states, equations (4) and (5), by way of the inducing points (13), (14): functions at the
/// points, and the residual, sequence by sequence.
class LatentPrior {
 public:
  /// `problem` must outlive this.
  explicit LatentPrior(const InferenceProblem& problem);

  /// Draws a state from the prior. O(items * M * |V|).
  void draw(const Random& random, LatentState& to) const;
  /// Draws a state from an approximate posterior instead, with the residual from the prior.
  LatentState draw(const PosteriorComponent& from, const Random& random) const;

 private:
  void set_unary(const Random& random, LatentState& state) const;
  void add_residual(std::size_t sequence, Random random, RowMatrix& unary) const;

  const InferenceProblem& problem_;
  std::vector<ColumnMatrix> residual_factors_;  // [sequence]
};

/// Elliptical slice sampling (Murray, Adams, MacKay (2010), Figure 2): leaves the posterior of latent states invariant.
class EllipticalSliceSampler {
 public:
  /// Starts from a draw of the prior. `problem` must outlive this.
  EllipticalSliceSampler(const InferenceProblem& problem, const Random& random);
  EllipticalSliceSampler(const InferenceProblem& problem, const Random& random, LatentState start);

  void advance();
  const LatentState& state() const { return state_; }
  double log_density() const { return log_density_; }  ///< log p(labels | state)

 private:
  double log_density(const LatentState& at) const;
  double log_density(const LatentState& at, std::size_t sequence) const;

  const InferenceProblem& problem_;
  Random random_;
  std::uint64_t iterations_ = 0;
  LatentPrior prior_;
  LatentState state_, other_, proposal_;
  double log_density_ = 0;
};

struct SliceSamplingOptions {
  int iterations = 20000;                     ///< the first fifth is warm-up
  std::size_t kept = 100;                     ///< number of draws, evenly spaced; up to twice as many are kept
  const PosteriorComponent* start = nullptr;  ///< the chain starts from a draw of this; null: of the prior
};

/// Draws from the posterior by elliptical slice sampling (Murray, Adams, MacKay (2010), Figure 2), as in the original
/// structured Gaussian process paper (Bratieres, Quadrianto, Ghahramani (2015)): all latent functions and the pairwise
/// function move at once,
///   f' = f cos(angle) + nu sin(angle),  nu ~ prior,
/// where the bracket of angles shrinks until log p(y | f') is above a threshold drawn below log p(y | f).
///
/// The prior is that of the inducing points plus, for each sequence, the residual (equations 13 and 14): with as many
/// points as the rank of the covariance it is the whole process. One iteration costs O(items * M * |V|) and a few
/// evaluations of the likelihood.
FittedPosterior sample_by_slices(const InferenceProblem& problem, const SliceSamplingOptions& options,
                                 const Random& random, InferenceWatch& watch);

}  // namespace fovea::gp
