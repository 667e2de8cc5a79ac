// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/expectations.h"

#include "fovea/base/parallel.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kSequencesPerTask = 4;
/// Difference in scores for difference quotients of gradients.
constexpr double kDifference = 1e-4;

}  // namespace

struct ExpectedLikelihood::Workspace {
  explicit Workspace(std::size_t labels) : pairwise(labels * labels), pairwise_slopes(labels * labels) {}
  void resize(std::size_t items) {
    for (std::vector<double>* each : {&unary_slopes, &curvatures, &direction, &moved, &slopes_above, &slopes_below})
      each->resize(items);
  }
  std::vector<double> pairwise, pairwise_slopes, unary_slopes, curvatures;
  std::vector<double> direction, moved, slopes_above, slopes_below;  // to estimate curvatures
};

/// Sums over the sequences and draws of one task.
struct ExpectedLikelihood::PairwiseSums {
  std::vector<double> means, log_deviations;
};

ExpectedLikelihood::ExpectedLikelihood(const Sequences& sequences, const Likelihood& likelihood,
                                       const LatentDraws& draws, Random random, int threads)
    : sequences_(sequences),
      likelihood_(likelihood),
      draws_(draws),
      pairwise_draws_(draws.labels(), draws.count(), random),
      random_(random),
      threads_(threads) {}

double ExpectedLikelihood::checked_gradients(Matrix<const double> unary, Matrix<const double> pairwise,
                                             std::size_t sequence, const Likelihood::Gradients& out) const {
  return require_finite(likelihood_.gradients(unary, pairwise, sequences_.labels_of(sequence), out), sequence);
}

void ExpectedLikelihood::estimate_curvatures(Matrix<const double> unary, Matrix<const double> pairwise,
                                             std::size_t sequence, std::size_t draw, Workspace& workspace) const {
  Random random = random_.child("direction", sequence * draws_.count() + draw);
  for (double& z : workspace.direction) z = random.bernoulli(.5) ? kDifference : -kDifference;
  const auto slopes_at = [&](double sign, std::vector<double>& slopes) {
    for (std::size_t i = 0; i < slopes.size(); ++i)
      workspace.moved[i] = unary.data()[i] + sign * workspace.direction[i];
    checked_gradients({workspace.moved.data(), unary.rows(), unary.columns()}, pairwise, sequence,
                      {.unary = {slopes.data(), unary.rows(), unary.columns()}, .pairwise = {}, .curvature = {}});
  };
  slopes_at(1, workspace.slopes_above);
  slopes_at(-1, workspace.slopes_below);
  for (std::size_t i = 0; i < workspace.curvatures.size(); ++i)
    workspace.curvatures[i] = (workspace.slopes_below[i] - workspace.slopes_above[i]) / (2 * workspace.direction[i]);
}

double ExpectedLikelihood::add_sequence(const PairwisePosterior& pairwise, std::size_t sequence,
                                        SiteExpectations* sites, PairwiseSums* sums, Workspace& workspace) const {
  if (left_out_.contains(sequence)) return 0;
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
    const Matrix<const double> unary = draws_.unary(sequence, s);
    sum += checked_gradients(unary, scores, sequence, out);
    if (sites) {
      if (!given) estimate_curvatures(unary, scores, sequence, s, workspace);
      const std::size_t at = (sequences_.begin[sequence] - sequences_.begin[draws_.first()]) * labels;
      double *slopes = sites->slopes.data() + at, *curvatures = sites->curvatures.data() + at;
      for (std::size_t i = 0; i < items; ++i) {
        slopes[i] += weight * workspace.unary_slopes[i];
        curvatures[i] += weight * workspace.curvatures[i];
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
    const std::size_t items = sequences_.begin[draws_.last()] - sequences_.begin[draws_.first()];
    sites->slopes.setZero(index(items), index(draws_.labels()));
    sites->curvatures.setZero(index(items), index(draws_.labels()));
  }
  return parallel_sum(draws_.last() - draws_.first(), kSequencesPerTask, threads_,
                      [&](std::size_t begin, std::size_t end) {
                        Workspace workspace(draws_.labels());
                        double sum = 0;
                        for (std::size_t n = begin; n < end; ++n)
                          sum += add_sequence(pairwise, draws_.first() + n, sites, nullptr, workspace);
                        return sum;
                      });
}

double ExpectedLikelihood::pairwise_gradients(const PairwisePosterior& pairwise, std::span<double> means,
                                              std::span<double> log_deviations) const {
  const std::size_t count = draws_.last() - draws_.first();
  std::vector<PairwiseSums> tasks((count + kSequencesPerTask - 1) / kSequencesPerTask);
  const double result = parallel_sum(count, kSequencesPerTask, threads_, [&](std::size_t begin, std::size_t end) {
    PairwiseSums& sums = tasks[begin / kSequencesPerTask];
    sums.means.assign(means.size(), 0);
    sums.log_deviations.assign(means.size(), 0);
    Workspace workspace(draws_.labels());
    double sum = 0;
    for (std::size_t n = begin; n < end; ++n)
      sum += add_sequence(pairwise, draws_.first() + n, nullptr, &sums, workspace);
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
