// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/averaged_marginals.h"

#include <Eigen/LU>

#include "fovea/base/parallel.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kSequencesOfATask = 8;

/// Adds share * the marginals of one draw.
class MarginalSum {
 public:
  MarginalSum(const PredictiveDistribution& predictive, std::size_t component, std::size_t draws)
      : likelihood_(predictive.likelihood),
        pairwise_(predictive.posterior[component].pairwise),
        share_(predictive.posterior[component].weight / static_cast<double>(draws)),
        labels_(predictive.posterior[component].unary.labels()),
        draws_(labels_, draws, predictive.random.child("component", component).child("pairwise"), draws / 2) {}

  /// `unary`: T x |V|, the latent functions in this draw.
  void add(Matrix<const double> unary, std::size_t draw, std::span<double> out) const {
    std::vector<double> scores(labels_ * labels_), marginals(out.size());
    draws_.draw(pairwise_, 0, draw, scores);
    likelihood_.marginals(unary, Matrix<const double>(scores.data(), labels_, labels_),
                          Matrix<double>(marginals.data(), unary.rows(), labels_));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += share_ * marginals[i];
  }

 private:
  const Likelihood& likelihood_;
  const PairwisePosterior& pairwise_;
  double share_;
  std::size_t labels_;
  PairwiseDraws draws_;
};

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
      const MarginalSum sum(predictive, k, draws);
      LatentDraws latent(sequences, blocks[b], blocks[b + 1], labels, draws, LatentDraws::Use::kPrediction,
                         predictive.random.child("component", k));
      latent.draw(sequences, component.unary, 1, [&](std::size_t n, std::size_t j, LatentGaussian& q) {
        if (visit) visit(component, n, j, q);
      });
      for (std::size_t n = blocks[b]; n < blocks[b + 1]; ++n)
        for (std::size_t s = 0; s < draws; ++s)
          sum.add(latent.unary(n, s), s, out.subspan(sequences.begin(n) * labels, sequences.length(n) * labels));
    }
  });
}

void average_marginals(const Sequences& sequences, const WeightDraws& weights, const PredictiveDistribution& predictive,
                       std::span<double> out, int threads) {
  const std::size_t labels = weights.labels(), pairs = weights.pairs();
  std::vector<MarginalSum> sums;
  for (std::size_t k = 0; k < predictive.posterior.size(); ++k) sums.emplace_back(predictive, k, 2 * pairs);
  parallel_for(sequences.sequence_count(), kSequencesOfATask, threads, [&](std::size_t first, std::size_t last) {
    std::vector<double> values;
    for (std::size_t n = first; n < last; ++n) {
      const std::size_t cells = sequences.length(n) * labels;
      weights.draw(sequences, n, values);
      for (std::size_t s = 0; s < weights.draws(); ++s)  // a pair, then its opposite
        sums[s / 2 / pairs].add({values.data() + s * cells, sequences.length(n), labels},
                                s / 2 % pairs + (s % 2) * pairs, out.subspan(sequences.begin[n] * labels, cells));
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
