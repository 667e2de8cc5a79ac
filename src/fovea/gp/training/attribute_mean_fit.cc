// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/attribute_mean_fit.h"

#include "fovea/base/parallel.h"
#include "fovea/gp/covariance/by_column.h"
#include "fovea/gp/training/expectations.h"
#include "fovea/gp/training/pairwise_fit.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {
namespace {

constexpr int kTurns = 2, kWeightIterations = 20, kPairwiseIterationsOfATurn = 8;
constexpr std::size_t kColumnsOfATask = 4096, kItemsOfATask = 4096;

/// Weights that give the means that the inducing points give: x^T w = k(x, Z) L^{-T} m.
AttributeMeans weights_of(const InducingPoints& points, const RowMatrix& means, double variance, std::size_t columns) {
  AttributeMeans result(columns, size(means.rows()));
  const RowMatrix coefficients = points.coefficients(means);  // |V| x M
  const SparseRows& rows = points.points();
  for (std::size_t m = 0; m < rows.row_count(); ++m)
    for (std::uint32_t e = rows.offsets[m]; e < rows.offsets[m + 1]; ++e)
      for (std::size_t j = 0; j < result.labels(); ++j)
        result.weights()[rows.columns[e] * result.labels() + j] +=
            static_cast<float>(variance * coefficients(index(j), index(m)) * rows.value(e));
  return result;
}

/// Minus the part of the bound that the weights decide.
class WeightObjective {
 public:
  using Real = float;

  /// The draws are of the functions with the means of `start`.
  WeightObjective(const InferenceProblem& problem, const ByColumn& occurrences, double variance,
                  const PairwisePosterior& pairwise, const AttributeMeans& start, LatentDraws& draws,
                  const ExpectedLikelihood& expected)
      : problem_(problem),
        occurrences_(occurrences),
        variance_(variance),
        pairwise_(pairwise),
        draws_(draws),
        expected_(expected),
        means_(start.at(problem.sequences.features, 0, problem.sequences.item_count())) {}

  std::size_t dimension() const { return occurrences_.columns() * problem_.labels(); }

  double evaluate(std::span<const float> x, std::span<float> gradient) {
    move_to(x);
    const double value = expected_(pairwise_, &expectations_);
    const std::size_t labels = problem_.labels();
    parallel_for(occurrences_.columns(), kColumnsOfATask, problem_.threads, [&](std::size_t begin, std::size_t end) {
      std::vector<double> sums(labels);
      for (std::size_t c = begin; c < end; ++c) {
        for (std::size_t j = 0; j < labels; ++j) sums[j] = x[c * labels + j] / variance_;
        for (std::uint32_t e = occurrences_.offsets[c]; e < occurrences_.offsets[c + 1]; ++e) {
          const auto& [item, weight] = occurrences_.entries[e];
          const double* slopes = expectations_.slopes.row(index(item)).data();
          for (std::size_t j = 0; j < labels; ++j) sums[j] -= weight * slopes[j];
        }
        for (std::size_t j = 0; j < labels; ++j) gradient[c * labels + j] = static_cast<float>(sums[j]);
      }
    });
    double squares = 0;
    for (const float weight : x) squares += double{weight} * weight;
    return squares / (2 * variance_) - value;
  }

  /// Moves the draws there.
  void move_to(std::span<const float> x) {
    const AttributeMeans weights(std::vector<float>(x.begin(), x.end()), problem_.labels());
    RowMatrix next(means_.rows(), means_.cols());
    parallel_for(
        problem_.sequences.item_count(), kItemsOfATask, problem_.threads, [&](std::size_t begin, std::size_t end) {
          next.middleRows(index(begin), index(end - begin)) = weights.at(problem_.sequences.features, begin, end);
        });
    draws_.shift(next - means_, problem_.threads);
    means_ = std::move(next);
  }

  const SiteExpectations& expectations() const { return expectations_; }

 private:
  const InferenceProblem& problem_;
  const ByColumn& occurrences_;
  double variance_;
  const PairwisePosterior& pairwise_;
  LatentDraws& draws_;
  const ExpectedLikelihood& expected_;
  RowMatrix means_;  // items x |V|, of the draws
  SiteExpectations expectations_;
};

}  // namespace

void free_means(const InferenceProblem& problem, const InducingPoints& points, double variance, std::size_t draws,
                const Random& random, InferenceWatch& watch, FittedPosterior& fitted) {
  UnaryPosterior& unary = fitted.posterior[0].unary;
  PairwisePosterior& pairwise = fitted.posterior[0].pairwise;
  const ByColumn occurrences(problem.sequences.features);
  AttributeMeans means = weights_of(points, unary.means(), variance, occurrences.columns());
  LatentDraws latent(problem.projected, 0, problem.projected.sequence_count(), problem.labels(), draws,
                     LatentDraws::Use::kTraining, random.child("draws"));
  latent.draw(problem.projected, unary.with_means(means), problem.threads);
  const ExpectedLikelihood expected(problem.sequences, problem.likelihood, latent, random.child("pairwise"),
                                    problem.threads);
  const double spread = fitted.summary.bound.unary_divergence - .5 * unary.means().squaredNorm();
  WeightObjective objective(problem, occurrences, variance, pairwise, means, latent, expected);
  for (int turn = 0; turn < kTurns && !watch.stop_requested(); ++turn) {
    LbfgsOptions options;
    options.stopping.max_iterations = kWeightIterations;
    options.threads = problem.threads;
    minimize_lbfgs(objective, std::span(means.weights()), options, {}, [&](const IterationRecord& record) {
      watch.report({.phase = "means",
                    .iteration = turn * kWeightIterations + record.iteration,
                    .of = kTurns * kWeightIterations,
                    .bound = -record.objective - spread - pairwise.divergence()},
                   [&] { return MixturePosterior{{.unary = unary.with_means(means), .pairwise = pairwise}}; });
      return !watch.stop_requested();
    });
    objective.move_to(means.weights());
    fit_pairwise(expected, PairwiseFactors::prior_of(pairwise), kPairwiseIterationsOfATurn, pairwise);
  }
  SiteExpectations last;
  fitted.summary.bound = {.expected_log_likelihood = expected(pairwise, &last),
                          .unary_divergence = spread + means.squared_norm() / (2 * variance),
                          .pairwise_divergence = pairwise.divergence()};
  if (fitted.sites) fitted.sites->linear = std::move(last.slopes);
  unary = unary.with_means(std::move(means));
}

}  // namespace fovea::gp
