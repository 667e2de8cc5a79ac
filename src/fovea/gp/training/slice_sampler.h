// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include <vector>

#include "fovea/gp/training/inference.h"

namespace fovea::gp {

/// A point of the space of everything that is Gaussian a priori.
struct LatentState {
  RowMatrix inducing;            ///< |V| x M, whitened
  RowMatrix unary;               ///< items x |V|, the functions' values
  std::vector<double> pairwise;  ///< |V| x |V|
};

/// The prior of latent states: equations (4) and (5), by way of the inducing points (13), (14): functions at them, and
/// what they leave open, sequence by sequence.
class LatentPrior {
 public:
  /// `problem` must outlive this.
  explicit LatentPrior(const InferenceProblem& problem);

  /// O(items * M * |V|).
  void draw(const Random& random, LatentState& to) const;
  /// From an approximate posterior instead, with what the inducing points leave open from the prior.
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

}  // namespace fovea::gp
