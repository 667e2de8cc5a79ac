// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/attribute_mean_fit.h"

#include "fovea/base/parallel.h"
#include "fovea/gp/covariance/covariance.h"
#include "fovea/gp/data/sequence_rows.h"
#include "fovea/gp/training/expectations.h"
#include "fovea/gp/training/pairwise_fit.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kFolds = 5, kItemsLeftOut = 20000;
constexpr int kWeightIterationsOfAFold = 50;
constexpr int kTurns = 2, kWeightIterations = 20, kPairwiseIterationsOfATurn = 8;
constexpr std::size_t kColumnsOfATask = 4096, kItemsOfATask = 4096;

/// Weights that give the same means as the inducing points: x^T w = k(x, Z) L^{-T} m.
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

/// Minus the part of the bound that depends on the weights.
class WeightObjective {
 public:
  using Real = float;

  /// `draws` must be of the functions with the means of `start`.
  WeightObjective(const InferenceProblem& problem, const ByColumn& occurrences, double variance,
                  const PairwisePosterior& pairwise, const AttributeMeans& start, LatentDraws& draws,
                  ExpectedLikelihood& expected)
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
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      gradient[i] = static_cast<float>(x[i] / variance_);
      squares += double{x[i]} * x[i];
    }
    add_by_column(expectations_.slopes, -1, gradient);
    return squares / (2 * variance_) - value;
  }

  /// Moves the draws to the means given by these weights.
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

  /// Leaves out the sequences of a fold from now on, and returns the weights without the contribution of their slopes:
  /// at the maximum w = variance * sum of slopes * features.
  std::vector<float> leave_out(const Fold& fold, const RowMatrix& slopes) {
    expected_.leave_out(fold);
    RowMatrix kept = slopes;
    const Sequences& sequences = problem_.sequences;
    for (std::size_t n = 0; n < sequences.sequence_count(); ++n)
      if (fold.contains(n)) sequence_rows(kept, sequences, n).setZero();
    std::vector<float> weights(dimension());
    add_by_column(kept, variance_, weights);
    return weights;
  }

  const RowMatrix& means() const { return means_; }  ///< items x |V|, of the draws

 private:
  /// Adds scale * sum over items of slope * feature.
  void add_by_column(const RowMatrix& slopes, double scale, std::span<float> out) const {
    const std::size_t labels = problem_.labels();
    parallel_for(occurrences_.columns(), kColumnsOfATask, problem_.threads, [&](std::size_t begin, std::size_t end) {
      std::vector<double> sums(labels);
      for (std::size_t c = begin; c < end; ++c) {
        std::fill(sums.begin(), sums.end(), 0);
        for (std::uint32_t e = occurrences_.offsets[c]; e < occurrences_.offsets[c + 1]; ++e) {
          const auto& [item, weight] = occurrences_.entries[e];
          const double* row = slopes.row(index(item)).data();
          for (std::size_t j = 0; j < labels; ++j) sums[j] += weight * row[j];
        }
        for (std::size_t j = 0; j < labels; ++j) out[c * labels + j] += static_cast<float>(scale * sums[j]);
      }
    });
  }

  const InferenceProblem& problem_;
  const ByColumn& occurrences_;
  double variance_;
  const PairwisePosterior& pairwise_;
  LatentDraws& draws_;
  ExpectedLikelihood& expected_;
  RowMatrix means_;
  SiteExpectations expectations_;
};

/// Number of folds to fit: with many items some folds are enough.
std::size_t folds_worth(std::size_t items) { return std::min(kFolds, 1 + kFolds * kItemsLeftOut / items); }

/// `slopes`: at the maximum. `go_on` is called at every iteration with its number and the maximum number; it may end
/// the fit.
template <class GoOn>
LeftOut left_out_means(const InferenceProblem& problem, const RowMatrix& slopes, WeightObjective& objective,
                       const GoOn& go_on) {
  const Sequences& sequences = problem.sequences;
  const std::size_t folds = folds_worth(sequences.item_count());
  RowMatrix all(slopes.rows(), slopes.cols());
  for (std::size_t number = 0; number < folds; ++number) {
    const Fold fold = {.number = number, .of = kFolds};
    std::vector<float> weights = objective.leave_out(fold, slopes);
    optimize::minimize_lbfgs(objective, std::span(weights),
                             {.stopping = {.max_iterations = kWeightIterationsOfAFold}, .threads = problem.threads}, {},
                             [&](const optimize::IterationRecord& record) {
                               return go_on(static_cast<int>(number) * kWeightIterationsOfAFold + record.iteration,
                                            static_cast<int>(folds) * kWeightIterationsOfAFold);
                             });
    objective.move_to(weights);
    for (std::size_t n = number; n < sequences.sequence_count(); n += kFolds)
      sequence_rows(all, sequences, n) = sequence_rows(objective.means(), sequences, n);
  }
  LeftOut result;
  for (std::size_t n = 0; n < sequences.sequence_count(); ++n)
    if (n % kFolds < folds) result.sequences.push_back(n);
  result.means = rows_of_sequences(all, sequences, result.sequences);
  return result;
}

}  // namespace

void free_means(const InferenceProblem& problem, const InducingPoints& points, const AttributeMeanOptions& options,
                const Random& random, InferenceWatch& watch, FittedPosterior& fitted) {
  UnaryPosterior& unary = fitted.posterior[0].unary;
  PairwisePosterior& pairwise = fitted.posterior[0].pairwise;
  const ByColumn occurrences(problem.sequences.features);
  AttributeMeans means = weights_of(points, unary.means(), options.variance, occurrences.columns());
  LatentDraws latent(problem.projected, 0, problem.projected.sequence_count(), problem.labels(), options.draws,
                     LatentDraws::Use::kTraining, random.child("draws"));
  latent.draw(problem.projected, unary.with_means(means), problem.threads);
  ExpectedLikelihood expected(problem.sequences, problem.likelihood, latent, random.child("pairwise"), problem.threads);
  const double spread = fitted.summary.bound.unary_divergence - .5 * unary.means().squaredNorm();
  const int steps = watch.last_iteration();
  WeightObjective objective(problem, occurrences, options.variance, pairwise, means, latent, expected);
  for (int turn = 0; turn < kTurns && !watch.stop_requested(); ++turn) {
    optimize::minimize_lbfgs(
        objective, std::span(means.weights()),
        {.stopping = {.max_iterations = kWeightIterations}, .threads = problem.threads}, {},
        [&](const optimize::IterationRecord& record) {
          watch.report({.phase = "means",
                        .iteration = steps + turn * kWeightIterations + record.iteration,
                        .of = steps + kTurns * kWeightIterations,
                        .bound = -record.objective - spread - pairwise.divergence()},
                       [&] { return MixturePosterior{{.unary = unary.with_means(means), .pairwise = pairwise}}; });
          return !watch.stop_requested();
        });
    objective.move_to(means.weights());
    fit_pairwise(expected, PairwiseFactors::prior_of(pairwise), kPairwiseIterationsOfATurn, pairwise);
  }
  SiteExpectations last;
  fitted.summary.bound = {.expected_log_likelihood = expected(pairwise, &last),
                          .unary_divergence = spread + means.squared_norm() / (2 * options.variance),
                          .pairwise_divergence = pairwise.divergence()};
  unary = unary.with_means(std::move(means));
  if (!options.wants_left_out) return;
  const int before = watch.last_iteration();
  fitted.left_out = left_out_means(problem, last.slopes, objective, [&](int iteration, int most) {
    if (watch.stop_requested()) return false;
    watch.report(
        {.phase = "folds", .iteration = before + iteration, .of = before + most, .bound = fitted.summary.bound.total()},
        [&] { return fitted.posterior; });
    return true;
  });
}

}  // namespace fovea::gp
