// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/gp/likelihood/likelihood.h"
#include "fovea/gp/posterior/latent_draws.h"
#include "fovea/gp/posterior/pairwise_draws.h"

namespace fovea::gp {

/// Returns the log likelihood of a sequence; throws InputError unless it is finite.
inline double require_finite(double log_likelihood, std::size_t sequence) {
  if (std::isfinite(log_likelihood)) return log_likelihood;
  throw InputError({}, fmt::format("the log likelihood of sequence {} is {}", sequence + 1, log_likelihood),
                   "Give a likelihood that is finite for any finite scores");
}

/// Derivatives of the expected log likelihood that conjugate computation needs, at the posterior from which the draws
/// come.
struct SiteExpectations {
  RowMatrix slopes;      ///< items of the draws' sequences x |V|: E[d log p / d f_tj]
  RowMatrix curvatures;  ///< items x |V|: - E[d^2 log p / d f_tj^2]; an estimate may be negative
};

/// A part of the sequences, every `of`-th; none if `of` is 0.
struct Fold {
  std::size_t number = 0, of = 0;
  bool contains(std::size_t sequence) const { return of > 0 && sequence % of == number; }
};

/// The expected log likelihood of the sequences that have draws, averaged over these, and its derivatives.
///
/// If the likelihood does not give its second derivatives, their diagonal is estimated from one difference of gradients
/// along a random direction of signs z, at every draw: E[z_t (H z)_t] = H_tt (Bekas, Kokiopoulou, Saad (2007), "An
/// estimator for the diagonal of a matrix").
///
/// Derivatives with respect to the pairwise function's mean and deviation are those of mean + deviation * normal
/// (Kingma, Welling (2014), "Auto-encoding variational Bayes").
class ExpectedLikelihood {
 public:
  /// All must outlive this.
  ExpectedLikelihood(const Sequences& sequences, const Likelihood& likelihood, const LatentDraws& draws, Random random,
                     int threads);

  /// Counts log p of these sequences as 0 from now on, whatever the draws.
  void leave_out(Fold fold) { left_out_ = fold; }

  /// E[log p]; fills in `sites` unless null.
  double operator()(const PairwisePosterior& pairwise, SiteExpectations* sites) const;
  /// E[log p] and its derivatives with respect to the means and log deviations of the pairwise function.
  double pairwise_gradients(const PairwisePosterior& pairwise, std::span<double> means,
                            std::span<double> log_deviations) const;

 private:
  struct Workspace;
  struct PairwiseSums;
  double checked_gradients(Matrix<const double> unary, Matrix<const double> pairwise, std::size_t sequence,
                           const Likelihood::Gradients& out) const;
  void estimate_curvatures(Matrix<const double> unary, Matrix<const double> pairwise, std::size_t sequence,
                           std::size_t draw, Workspace& workspace) const;
  double add_sequence(const PairwisePosterior& pairwise, std::size_t sequence, SiteExpectations* sites,
                      PairwiseSums* sums, Workspace& workspace) const;

  const Sequences& sequences_;
  const Likelihood& likelihood_;
  const LatentDraws& draws_;
  PairwiseDraws pairwise_draws_;
  Random random_;
  int threads_;
  Fold left_out_;
};

}  // namespace fovea::gp
