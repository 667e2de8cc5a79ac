// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/attribute_mean_fit.h"

#include <algorithm>

#include "fovea/base/parallel.h"
#include "fovea/gp/training/expectations.h"
#include "fovea/gp/training/pairwise_fit.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {
namespace {

constexpr int kTurns = 2, kWeightIterations = 20, kPairwiseIterationsOfATurn = 8;
constexpr std::size_t kColumnsOfATask = 4096, kItemsOfATask = 4096;

/// Where each feature occurs: entries offsets[c] .. offsets[c + 1] of items and values.
struct Occurrences {
  explicit Occurrences(const SparseRows& rows) {
    std::uint32_t columns = 0;
    for (const std::uint32_t column : rows.columns) columns = std::max(columns, column + 1);
    offsets.assign(columns + 1, 0);
    for (const std::uint32_t column : rows.columns) ++offsets[column + 1];
    for (std::size_t c = 0; c < columns; ++c) offsets[c + 1] += offsets[c];
    items.resize(rows.columns.size());
    values.resize(rows.columns.size());
    std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
    for (std::uint32_t r = 0; r < rows.row_count(); ++r)
      for (std::uint32_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e) {
        const std::uint32_t at = next[rows.columns[e]]++;
        items[at] = r;
        values[at] = rows.value(e);
      }
  }
  std::size_t columns() const { return offsets.size() - 1; }

  std::vector<std::uint32_t> offsets, items;
  std::vector<float> values;
};

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
  WeightObjective(const InferenceProblem& problem, const Occurrences& occurrences, double variance,
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
          const double* slopes = expectations_.slopes.row(index(occurrences_.items[e])).data();
          for (std::size_t j = 0; j < labels; ++j) sums[j] -= occurrences_.values[e] * slopes[j];
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
  const Occurrences& occurrences_;
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
  const Occurrences occurrences(problem.sequences.features);
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
