// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include "fovea/gp/likelihood/likelihood.h"
#include "fovea/gp/posterior/latent_draws.h"
#include "fovea/gp/posterior/pairwise_draws.h"
#include "fovea/gp/posterior/posteriors.h"
#include "fovea/gp/posterior/weight_draws.h"

namespace fovea::gp {

/// Distribution from which predictions are made; its references must outlive it.
struct PredictiveDistribution {
  const MixturePosterior& posterior;
  const Likelihood& likelihood;
  std::size_t draws;  ///< divided evenly among the components, at least two for each
  Random random;
};

/// A LatentVisitor that also receives the component.
using ComponentVisitor =
    std::function<void(const PosteriorComponent& component, std::size_t sequence, std::size_t label, LatentGaussian&)>;

/// p(y_t = j), items x |V| row-major into `out`: the likelihood's marginals, averaged over draws of the latent
/// functions and of the pairwise function, which are the same for all sequences. `visit` as in LatentDraws::draw.
void average_marginals(const ProjectedSequences& sequences, const PredictiveDistribution& predictive,
                       std::span<double> out, int threads, const ComponentVisitor& visit = {});

/// The same by draws of weights, of the posterior of `predictive`, which give their number.
void average_marginals(const Sequences& sequences, const WeightDraws& weights, const PredictiveDistribution& predictive,
                       std::span<double> out, int threads);

/// Marginals of each sequence of a fit from all the others: q without the sequence's own sites (its cavity), by
///   C' = (I - P L)^{-1} P,  m' = (I - P L)^{-1} (m - P b),
/// with P = A_n S_j A_n^T, m = A_n mean_j, and the sites' precisions L (diagonal) and linear terms b. The pairwise
/// function and the other sites stay as they are, so this is an approximation; it costs about as much as a prediction.
/// `left_out_means`, items x |V|, replace m' unless empty.
void leave_one_out_marginals(const ProjectedSequences& sequences, const PredictiveDistribution& predictive,
                             const Sites& sites, const RowMatrix& left_out_means, std::span<double> out, int threads);

}  // namespace fovea::gp
