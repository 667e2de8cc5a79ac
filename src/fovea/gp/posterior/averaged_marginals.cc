// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/averaged_marginals.h"

#include <Eigen/LU>

#include "fovea/base/parallel.h"

namespace fovea::gp {
namespace {

/// Adds share * sum of the marginals over the draws of one sequence.
void add_marginals(const Likelihood& likelihood, const LatentDraws& latent, const PairwiseDraws& pairwise_draws,
                   const PairwisePosterior& pairwise, std::size_t sequence, double share, std::span<double> out) {
  const std::size_t labels = latent.labels();
  std::vector<double> scores(labels * labels), marginals(out.size());
  for (std::size_t s = 0; s < latent.count(); ++s) {
    const Matrix<const double> unary = latent.unary(sequence, s);
    pairwise_draws.draw(pairwise, 0, s, scores);
    likelihood.marginals(unary, Matrix<const double>(scores.data(), labels, labels),
                         Matrix<double>(marginals.data(), unary.rows(), labels));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += share * marginals[i];
  }
}

void remove_sites(const ColumnMatrix& residual, const Vector& precisions, const Vector& linear,
                  LatentGaussian& latent) {
  const ColumnMatrix& p = latent.inducing_covariance;
  const Index n = p.rows();
  const Eigen::PartialPivLU<ColumnMatrix> rest(ColumnMatrix::Identity(n, n) - p * precisions.asDiagonal());
  latent.mean = rest.solve(latent.mean - p * linear);
  const ColumnMatrix covariance = rest.solve(p);
  latent.inducing_covariance = .5 * (covariance + covariance.transpose());
  latent.factorize(residual);
}

}  // namespace

void average_marginals(const ProjectedSequences& sequences, const PredictiveDistribution& predictive,
                       std::span<double> out, int threads, const ComponentVisitor& visit) {
  const MixturePosterior& posterior = predictive.posterior;
  const std::size_t labels = posterior[0].unary.labels();
  const std::size_t draws = std::max<std::size_t>(2, (predictive.draws / posterior.size() + 1) / 2 * 2);
  const std::vector<std::size_t> blocks = sequence_blocks(sequences, 0, sequences.sequence_count());
  parallel_for(blocks.size() - 1, 1, threads, [&](std::size_t b, std::size_t) {
    for (std::size_t k = 0; k < posterior.size(); ++k) {
      const PosteriorComponent& component = posterior[k];
      const Random random = predictive.random.child("component", k);
      const PairwiseDraws pairwise(labels, draws, random.child("pairwise"), draws / 2);
      LatentDraws latent(sequences, blocks[b], blocks[b + 1], labels, draws, LatentDraws::Use::kPrediction, random);
      latent.draw(sequences, component.unary, 1, [&](std::size_t n, std::size_t j, LatentGaussian& q) {
        if (visit) visit(component, n, j, q);
      });
      for (std::size_t n = blocks[b]; n < blocks[b + 1]; ++n)
        add_marginals(predictive.likelihood, latent, pairwise, component.pairwise, n,
                      component.weight / static_cast<double>(draws),
                      out.subspan(sequences.begin(n) * labels, sequences.length(n) * labels));
    }
  });
}

void leave_one_out_marginals(const ProjectedSequences& sequences, const PredictiveDistribution& predictive,
                             const Sites& sites, const RowMatrix& left_out_means, std::span<double> out, int threads) {
  average_marginals(sequences, predictive, out, threads,
                    [&](const PosteriorComponent&, std::size_t n, std::size_t j, LatentGaussian& latent) {
                      const Index begin = index(sequences.begin(n)), length = index(sequences.length(n));
                      remove_sites(sequences.residual(n), sites.precision.col(index(j)).segment(begin, length),
                                   sites.linear.col(index(j)).segment(begin, length), latent);
                      if (left_out_means.size() > 0) latent.mean = left_out_means.col(index(j)).segment(begin, length);
                    });
}

}  // namespace fovea::gp
