// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/expectations.h"

#include "fovea/base/parallel.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kSequencesPerTask = 4;

}  // namespace

struct ExpectedLikelihood::Workspace {
  explicit Workspace(std::size_t labels) : pairwise(labels * labels), pairwise_slopes(labels * labels) {}
  void resize(std::size_t items) {
    unary_slopes.resize(items);
    curvatures.resize(items);
  }
  std::vector<double> pairwise, pairwise_slopes, unary_slopes, curvatures;
};

/// Of one task: sums over sequences and draws.
struct ExpectedLikelihood::PairwiseSums {
  std::vector<double> means, log_deviations;
};

ExpectedLikelihood::ExpectedLikelihood(const Sequences& sequences, const Likelihood& likelihood,
                                       const LatentDraws& draws, Random random, int threads)
    : sequences_(sequences),
      likelihood_(likelihood),
      draws_(draws),
      pairwise_draws_(draws.labels(), draws.count(), random),
      threads_(threads) {}

double ExpectedLikelihood::add_sequence(const PairwisePosterior& pairwise, std::size_t sequence,
                                        SiteExpectations* sites, PairwiseSums* sums, Workspace& workspace) const {
  const std::size_t labels = draws_.labels(), length = sequences_.length(sequence), items = length * labels;
  workspace.resize(items);
  const Matrix<double> scores(workspace.pairwise.data(), labels, labels);
  const bool given = likelihood_.has_curvature();
  const Likelihood::Gradients out = {
      .unary = {workspace.unary_slopes.data(), length, labels},
      .pairwise = sums ? Matrix<double>(workspace.pairwise_slopes.data(), labels, labels) : Matrix<double>(),
      .curvature = sites && given ? Matrix<double>(workspace.curvatures.data(), length, labels) : Matrix<double>()};
  const double weight = 1 / static_cast<double>(draws_.count());
  double sum = 0;
  for (std::size_t s = 0; s < draws_.count(); ++s) {
    pairwise_draws_.draw(pairwise, sequence, s, scores.all());
    sum += likelihood_.gradients(draws_.unary(sequence, s), scores, sequences_.labels_of(sequence), out);
    if (sites) {
      double* slopes = sites->slopes.data() + sequences_.begin[sequence] * labels;
      double* curvatures = sites->curvatures.data() + sequences_.begin[sequence] * labels;
      const double* direction = draws_.score(sequence, s).data();
      for (std::size_t i = 0; i < items; ++i) {
        slopes[i] += weight * workspace.unary_slopes[i];
        curvatures[i] += weight * (given ? workspace.curvatures[i] : -direction[i] * workspace.unary_slopes[i]);
      }
    }
    if (sums)
      for (std::size_t e = 0; e < scores.all().size(); ++e) {
        sums->means[e] += weight * workspace.pairwise_slopes[e];
        sums->log_deviations[e] += weight * workspace.pairwise_slopes[e] * (scores.all()[e] - pairwise.means[e]);
      }
  }
  return weight * sum;
}

double ExpectedLikelihood::operator()(const PairwisePosterior& pairwise, SiteExpectations* sites) const {
  if (sites) {
    sites->slopes.setZero(index(sequences_.item_count()), index(draws_.labels()));
    sites->curvatures.setZero(index(sequences_.item_count()), index(draws_.labels()));
  }
  return parallel_sum(sequences_.sequence_count(), kSequencesPerTask, threads_,
                      [&](std::size_t begin, std::size_t end) {
                        Workspace workspace(draws_.labels());
                        double sum = 0;
                        for (std::size_t n = begin; n < end; ++n)
                          sum += add_sequence(pairwise, n, sites, nullptr, workspace);
                        return sum;
                      });
}

double ExpectedLikelihood::pairwise_gradients(const PairwisePosterior& pairwise, std::span<double> means,
                                              std::span<double> log_deviations) const {
  const std::size_t count = sequences_.sequence_count();
  std::vector<PairwiseSums> tasks((count + kSequencesPerTask - 1) / kSequencesPerTask);
  const double result = parallel_sum(count, kSequencesPerTask, threads_, [&](std::size_t begin, std::size_t end) {
    PairwiseSums& sums = tasks[begin / kSequencesPerTask];
    sums.means.assign(means.size(), 0);
    sums.log_deviations.assign(means.size(), 0);
    Workspace workspace(draws_.labels());
    double sum = 0;
    for (std::size_t n = begin; n < end; ++n) sum += add_sequence(pairwise, n, nullptr, &sums, workspace);
    return sum;
  });
  std::fill(means.begin(), means.end(), 0);
  std::fill(log_deviations.begin(), log_deviations.end(), 0);
  for (const PairwiseSums& sums : tasks)
    for (std::size_t e = 0; e < means.size(); ++e) {
      means[e] += sums.means[e];
      log_deviations[e] += sums.log_deviations[e];
    }
  return result;
}

}  // namespace fovea::gp
