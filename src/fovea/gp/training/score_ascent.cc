// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/score_ascent.h"

#include "fovea/gp/training/batch_ascent.h"
#include "fovea/gp/training/saga_ascent.h"

namespace fovea::gp {
namespace {

constexpr double kLeastGain = 1e-5, kLeastMove = 1e-3;

VariationalMixture first_mixture(const InferenceProblem& problem, const ScoreAscentOptions& options,
                                 const Random& random) {
  if (options.start) return {*options.start, options.diagonal};
  return {options.components, problem.labels(),          problem.points(),
          options.diagonal,   problem.pairwise_variance, random.child("components")};
}

/// Bound when no time is left for the pairwise function.
Bound bound_of(const VariationalMixture& mixture, double total) {
  MixtureGradient ignored(mixture);
  Bound bound = {.unary_divergence = -add_negative_divergence(mixture, ignored),
                 .pairwise_divergence = mixture.pairwise.divergence()};
  bound.expected_log_likelihood = total + bound.unary_divergence + bound.pairwise_divergence;
  return bound;
}

/// Mean absolute change of the means.
double mean_move(const VariationalMixture& from, const VariationalMixture& to) {
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < from.components.size(); ++k) {
    sum += (to.components[k].means - from.components[k].means).cwiseAbs().sum();
    count += static_cast<double>(from.components[k].means.size());
  }
  return sum / count;
}

FittedPosterior fit_batch(const InferenceProblem& problem, const ScoreAscentOptions& options,
                          const ScoreEstimator& estimator, const Random& random, InferenceWatch& watch) {
  VariationalMixture mixture = first_mixture(problem, options, random);
  FitSummary summary;
  double last = -std::numeric_limits<double>::infinity();
  const auto report = [&](const char* phase, double bound) {
    watch.report({.phase = phase, .iteration = summary.iterations, .of = options.rounds, .bound = bound},
                 [&] { return mixture.posterior(); });
    return !watch.stop_requested();
  };
  while (summary.iterations < options.rounds && !summary.converged && !watch.stop_requested()) {
    const VariationalMixture before = mixture;
    double total = 0;
    ascend_unary(problem, estimator, watch.stop(), mixture,
                 [&](double value) { return report("functions", total = value); });
    const Bound bound =
        watch.stop_requested()
            ? bound_of(mixture, total)
            : ascend_pairwise(problem, estimator, mixture, [&](double value) { return report("label pairs", value); });
    ++summary.iterations;
    summary.converged = !watch.stop_requested() &&
                        (std::abs(bound.total() - last) < kLeastGain || mean_move(before, mixture) < kLeastMove);
    summary.bound = bound;
    last = bound.total();
  }
  return {.posterior = mixture.posterior(), .summary = summary};
}

FittedPosterior fit_by_saga(const InferenceProblem& problem, const ScoreAscentOptions& options,
                            const ScoreEstimator& estimator, const Random& random, InferenceWatch& watch) {
  SagaAscent ascent(problem, estimator, first_mixture(problem, options, random), random.child("saga"), watch.stop());
  FitSummary summary;
  const auto report = [&](const char* phase) {
    watch.report({.phase = phase,
                  .iteration = ascent.steps(),
                  .of = options.rounds * (SagaAscent::kUnarySteps + SagaAscent::kPairwiseSteps),
                  .bound = ascent.bound().total()},
                 [&] { return ascent.mixture().posterior(); });
    return !watch.stop_requested();
  };
  while (summary.iterations < options.rounds && !watch.stop_requested()) {
    ascent.move_unary([&] { return report("functions"); });
    if (!watch.stop_requested()) ascent.move_pairwise([&] { return report("label pairs"); });
    ++summary.iterations;
  }
  summary.bound = ascent.bound();
  return {.posterior = ascent.mixture().posterior(), .summary = summary};
}

}  // namespace

FittedPosterior fit_by_scores(const InferenceProblem& problem, const ScoreAscentOptions& options, const Random& random,
                              InferenceWatch& watch) {
  const ScoreEstimator estimator(problem, {.draws = options.draws, .control_variates = options.control_variates},
                                 random);
  return options.batch ? fit_batch(problem, options, estimator, random, watch)
                       : fit_by_saga(problem, options, estimator, random, watch);
}

}  // namespace fovea::gp
