// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/structured_gp.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/gp/data/sequence_rows.h"
#include "fovea/gp/fitted_gp.h"
#include "fovea/gp/inducing/inducing_choice.h"
#include "fovea/gp/posterior/averaged_marginals.h"
#include "fovea/gp/posterior/temperature.h"
#include "fovea/gp/posterior/weight_draws.h"
#include "fovea/gp/training/attribute_mean_fit.h"
#include "fovea/gp/training/batch_ascent.h"
#include "fovea/gp/training/kernel_learning.h"
#include "fovea/gp/training/pathwise_estimator.h"
#include "fovea/gp/training/score_ascent.h"
#include "fovea/gp/training/slice_sampling.h"

namespace fovea::gp {
namespace {

constexpr int kScoreRounds = 100;
constexpr double kLeastScoreGain = 1e-5;  // bound gained in a round
constexpr int kKernelIterations = 10, kKernelIterationsOfARound = 5;
constexpr std::size_t kKernelDraws = 32;
constexpr int kScoreDraws = 10000, kMeanDraws = 8;
/// Number of items from which minibatches are faster, and least items of a minibatch: the products of its items should
/// cost more than factorising their sum.
constexpr std::size_t kManyItems = 20000, kLeastMinibatch = 2000;

/// Independent of the seed, so that a loaded model gives the same predictions.
Random prediction_draws() { return Random().child("prediction"); }

/// Rounds up to an even number: draws come in pairs.
std::size_t even(int draws) { return static_cast<std::size_t>((draws + 1) / 2) * 2; }

/// Pairs of draws of each component.
std::size_t pairs_of(const FittedGp& fitted, int draws) {
  return std::max<std::size_t>(1, (even(draws) / fitted.posterior.size() + 1) / 2);
}

/// Null unless the covariance is linear.
std::shared_ptr<const WeightDraws> weight_draws(const FittedGp& fitted, int draws, int threads) {
  if (!fitted.points.covariance().linear_variance()) return nullptr;
  return std::make_shared<WeightDraws>(fitted.points, fitted.posterior, pairs_of(fitted, draws), prediction_draws(),
                                       threads);
}

void check_sequences(const Sequences& sequences) {
  const auto refuse = [](const std::string& what, const char* remedy) { throw InputError({}, what, remedy); };
  if (sequences.sequence_count() == 0) refuse("no sequence to train on", "Give labelled sequences");
  if (sequences.labels.size() != sequences.item_count())
    refuse(fmt::format("{} labels for {} items", sequences.labels.size(), sequences.item_count()),
           "Give one label per item");
  for (std::size_t n = 0; n < sequences.sequence_count(); ++n)
    if (sequences.length(n) == 0) refuse(fmt::format("sequence {} is empty", n + 1), "Leave it out");
  for (std::size_t i = 0; i < sequences.labels.size(); ++i)
    if (sequences.labels[i] >= sequences.label_count)
      refuse(fmt::format("label {} of item {}: must be below the number of labels, {}", sequences.labels[i], i + 1,
                         sequences.label_count),
             "Number labels from 0");
}

/// Takes at most a quarter of the time that is left: what fewer points cost later is less, too.
InducingPoints chosen_points(const Sequences& sequences, const StructuredGpOptions& options, const Stop& stop) {
  const std::vector<std::uint32_t> chosen = choose_inducing_rows(
      options.inducing, options.kernel, sequences.features, static_cast<std::size_t>(options.inducing_points),
      Random(options.seed).child("inducing points"), stop.within(stop.seconds_left() / 4), options.threads);
  if (chosen.empty())
    throw InputError({}, fmt::format("the covariance '{}' is 0 at every item", options.kernel.text()),
                     "Give items with attributes, or add constant() to the kernel");
  return {options.kernel, rows_at(sequences.features, chosen)};
}

/// Under a deadline, as many of the first points chosen as leave time for a few steps. A step
/// projects all items and whitens them for each label, so its time is that of projecting some, in proportion.
InducingPoints affordable(InducingPoints points, const Sequences& sequences, const Stop& stop) {
  constexpr std::size_t kSample = 256, kFewest = 10;
  constexpr double kSteps = 5;
  if (!stop.has_deadline() || points.size() <= kFewest) return points;
  const auto start = Stop::Clock::now();
  const std::size_t sample = std::min(kSample, sequences.item_count());
  (void)points.project(rows_between(sequences, 0, sample));
  const double seconds = std::chrono::duration<double>(Stop::Clock::now() - start).count() *
                         static_cast<double>(sequences.item_count()) / static_cast<double>(sample) *
                         static_cast<double>(sequences.label_count + 1);
  const double share = std::sqrt(stop.seconds_left() / (kSteps * seconds));
  if (share >= 1) return points;
  const auto most = static_cast<std::size_t>(share * static_cast<double>(points.size()));
  std::vector<std::uint32_t> which(std::clamp(most, kFewest, points.size()));
  std::iota(which.begin(), which.end(), 0);
  return {points.covariance(), rows_at(points.points(), which)};
}

SequenceEstimate estimate_for_kernel(const InferenceProblem& problem, const StructuredGpOptions& options) {
  const Random random = Random(options.seed).child("kernel");
  if (problem.likelihood.has_gradients())
    return [estimator = PathwiseEstimator(problem, kKernelDraws, random)](
               std::size_t n, const SequenceGaussian& q, std::size_t k) { return estimator.estimate(n, q, k); };
  const auto estimator = std::make_shared<ScoreEstimator>(
      problem, ScoreEstimatorOptions{.draws = even(options.draws > 0 ? options.draws : kScoreDraws)}, random);
  return [estimator](std::size_t n, const SequenceGaussian& q, std::size_t k) {
    return estimator->estimate(n, q, k, true, false, 1);
  };
}

}  // namespace

/// Draws of weights for the last number of draws asked for: they cost as much as predictions of a few dozen sequences.
struct StructuredGp::KeptDraws {
  /// As weight_draws. Thread-safe.
  std::shared_ptr<const WeightDraws> get(const FittedGp& fitted, int draws, int threads) {
    const std::lock_guard lock(mutex_);
    if (!kept_ || kept_->pairs() != pairs_of(fitted, draws)) kept_ = weight_draws(fitted, draws, threads);
    return kept_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const WeightDraws> kept_;
};

StructuredGp::StructuredGp(StructuredGpOptions options) : options_(std::move(options)) {}
StructuredGp::StructuredGp(StructuredGp&&) noexcept = default;
StructuredGp& StructuredGp::operator=(StructuredGp&&) noexcept = default;
StructuredGp::~StructuredGp() = default;

void StructuredGp::keep(FittedGp fitted) {
  fitted_ = std::make_unique<FittedGp>(std::move(fitted));
  draws_ = std::make_unique<KeptDraws>();
}

std::size_t StructuredGp::label_count() const { return fitted_ ? fitted_->posterior[0].unary.labels() : 0; }
std::size_t StructuredGp::inducing_point_count() const { return fitted_ ? fitted_->points.size() : 0; }
double StructuredGp::temperature() const { return fitted_ ? fitted_->temperature : 1; }
const StructuredGpOptions& StructuredGp::options() const { return options_; }

/// The parties that may end a fit or follow its progress.
struct StructuredGp::FitWatchers {
  const Stop& stop;
  const ProgressFunction& progress;
  const FitObserver& observer;
  InferenceWatch::Clock::time_point start = InferenceWatch::Clock::now();

  InferenceListener listener(const StructuredGp& gp, FittedGp& fitted) const;
};

/// Returns a listener that changes the posterior of `fitted` when it is asked to predict or save.
InferenceListener StructuredGp::FitWatchers::listener(const StructuredGp& gp, FittedGp& fitted) const {
  return [&](const InferenceStep& step, double seconds, const auto& posterior) {
    if (progress)
      progress({.phase = step.phase,
                .done = static_cast<double>(step.iteration),
                .total = static_cast<double>(step.of),
                .seconds = seconds,
                .figure = "bound",
                .value = step.bound});
    if (!observer) return;
    const auto as_it_stands = [&]() -> const FittedGp& {
      fitted.posterior = posterior();
      return fitted;
    };
    observer({.iteration = step.iteration,
              .seconds = seconds,
              .bound = step.bound,
              .predict =
                  [&](const Sequences& to) {
                    const FittedGp& present = as_it_stands();
                    const auto weights = weight_draws(present, kPredictionDraws, gp.options_.threads);
                    return gp.predict(present, to, weights.get(), kPredictionDraws, gp.options_.threads);
                  },
              .save = [&](ContainerWriter& writer, std::string_view prefix) { as_it_stands().save(writer, prefix); }});
  };
}

FitSummary StructuredGp::fit(const Sequences& sequences, std::shared_ptr<const Likelihood> likelihood, const Stop& stop,
                             const ProgressFunction& progress, const FitObserver& observer) {
  const FitWatchers watchers = {.stop = stop, .progress = progress, .observer = observer};
  check_options(options_);
  check_sequences(sequences);
  fitted_.reset();
  likelihood_ = std::move(likelihood);
  InducingPoints points = affordable(chosen_points(sequences, options_, stop), sequences, stop);
  return fit({.points = std::move(points), .posterior = {}}, sequences, watchers);
}

FitSummary StructuredGp::resume(const Sequences& sequences, StructuredGpOptions options, const Stop& stop,
                                const ProgressFunction& progress, const FitObserver& observer) {
  const FitWatchers watchers = {.stop = stop, .progress = progress, .observer = observer};
  if (!fitted_) throw UsageError("resume() needs a model: call fit() or load() first");
  options.kernel = fitted_->points.covariance();
  check_options(options);
  check_sequences(sequences);
  if (sequences.label_count != label_count())
    throw InputError({},
                     fmt::format("{} labels, but the model to go on from has {}", sequences.label_count, label_count()),
                     "Give the sequences that it was trained on");
  const bool is_chain = fitted_->posterior[0].unary.is_point();
  if (options.inference == GpInference::kAuto || options.inference == GpInference::kNaturalGradient ||
      (is_chain && options.inference != GpInference::kSliceSampling))
    throw UsageError(fmt::format("inference {} cannot go on from a posterior of {}", word_of(options.inference),
                                 is_chain ? "draws" : "Gaussians"));
  options_ = std::move(options);
  return fit(*fitted_, sequences, watchers);
}

/// The sequences as inference sees them through the inducing points, which change with the kernel.
class StructuredGp::Projection {
 public:
  /// All must outlive this.
  Projection(const Sequences& sequences, const Likelihood& likelihood, const StructuredGpOptions& options,
             InducingPoints& points, const CancelToken* cancel)
      : sequences_(sequences), likelihood_(likelihood), options_(options), points_(points) {
    project(cancel);
  }

  const InducingPoints& points() const { return points_; }
  void move_to(InducingPoints points) {
    points_ = std::move(points);
    project();  // whatever happens: there is an answer already
  }
  InferenceProblem problem() const {
    return {.sequences = sequences_,
            .projected = *projected_,
            .likelihood = likelihood_,
            .pairwise_variance = options_.pairwise_variance,
            .threads = options_.threads};
  }

 private:
  void project(const CancelToken* cancel = nullptr) {
    projected_ = std::make_unique<ProjectedSequences>(sequences_, points_, options_.threads, cancel);
  }

  const Sequences& sequences_;
  const Likelihood& likelihood_;
  const StructuredGpOptions& options_;
  InducingPoints& points_;
  std::unique_ptr<ProjectedSequences> projected_;
};

FitSummary StructuredGp::fit(FittedGp fitted, const Sequences& sequences, const FitWatchers& watchers) {
  const GpInference inference = method();
  const MixturePosterior start = fitted.posterior;
  InferenceWatch watch(watchers.stop, watchers.start, watchers.listener(*this, fitted));
  // A fit that goes on from a posterior has an answer already.
  Projection projection(sequences, *likelihood_, options_, fitted.points,
                        start.empty() ? watchers.stop.cancel : nullptr);
  FittedPosterior inferred = options_.learn_kernel && inference == GpInference::kNaturalGradient
                                 ? learn_kernel(projection, watchers)
                                 : infer(inference, projection.problem(), start, watch);
  if (options_.learn_kernel && inference == GpInference::kScoreFunction)
    learn_kernel_in_rounds(projection, inferred, watch);
  const InferenceProblem problem = projection.problem();
  const std::optional<double> variance = fitted.points.covariance().linear_variance();
  bool is_left_out_well = true;
  if (options_.means != GpMeans::kInducingPoints && variance && inference == GpInference::kNaturalGradient) {
    free_means(problem, fitted.points,
               {.variance = *variance,
                .draws = even(options_.draws > 0 ? options_.draws : kMeanDraws),
                .wants_left_out = options_.calibrate},
               Random(options_.seed), watch, inferred);
    is_left_out_well = !watch.stop_requested();  // else the fits without a fold are far from done
  }
  FitSummary summary = inferred.summary;
  summary.inference = inference;
  summary.inducing_points = fitted.points.size();
  summary.kernel = fitted.points.covariance().text();
  summary.jitter = fitted.points.jitter();
  fitted.posterior = std::move(inferred.posterior);
  fitted.temperature = 1;
  keep(std::move(fitted));
  // A fit without iterations leaves the prior, which needs no calibration.
  const bool is_fitted = summary.iterations > 0;
  if (options_.calibrate && inferred.sites && is_fitted && is_left_out_well) calibrate(problem, inferred, summary);
  summary.temperature = fitted_->temperature;
  summary.seconds = watch.seconds();
  return summary;
}

/// Learns the kernel that maximises the bound, with the posterior at its best for every kernel that is tried. The
/// derivative of this bound by the kernel is that with the posterior held fixed. Moves to the best kernel and returns
/// its posterior.
FittedPosterior StructuredGp::learn_kernel(Projection& projection, const FitWatchers& watchers) const {
  InferenceWatch silent(watchers.stop, watchers.start, {});
  std::optional<InducingPoints> best_points;
  FittedPosterior best;
  int looks = 0;
  const auto bound_at = [&](const InferenceProblem& problem, const InducingPoints& points, std::span<double> gradient) {
    if (best_points && silent.stop_requested()) return -std::numeric_limits<double>::infinity();
    FittedPosterior inferred = infer(GpInference::kNaturalGradient, problem, {}, silent);
    const double bound = inferred.summary.bound.total();
    if (watchers.progress)
      watchers.progress({.phase = "kernel",
                         .done = static_cast<double>(++looks),
                         .seconds = silent.seconds(),
                         .figure = "bound",
                         .value = bound});
    if (!silent.stop_requested())
      kernel_gradient(problem, points, inferred.posterior, estimate_for_kernel(problem, options_), gradient);
    if (!best_points || bound > best.summary.bound.total()) {
      best_points = points;
      best = std::move(inferred);
    }
    return bound;
  };
  ascend_kernel(projection.problem(), projection.points(), bound_at, kKernelIterations);
  if (!best_points)
    return infer(GpInference::kNaturalGradient, projection.problem(), {}, silent);  // the kernel has no parameters
  projection.move_to(std::move(*best_points));
  return best;
}

/// Learns the kernel with the posterior held fixed, as an extra block of each of the paper's rounds, until a round no
/// longer changes the bound.
void StructuredGp::learn_kernel_in_rounds(Projection& projection, FittedPosterior& inferred,
                                          InferenceWatch& watch) const {
  for (int round = 1; round < score_rounds() && !watch.stop_requested(); ++round) {
    const FittedPosterior before = std::move(inferred);
    const auto bound_at = [&](const InferenceProblem& problem, const InducingPoints& points,
                              std::span<double> gradient) {
      return kernel_gradient(problem, points, before.posterior, estimate_for_kernel(problem, options_), gradient);
    };
    projection.move_to(ascend_kernel(projection.problem(), projection.points(), bound_at, kKernelIterationsOfARound));
    inferred = infer(GpInference::kScoreFunction, projection.problem(), before.posterior, watch);
    inferred.summary.iterations += before.summary.iterations;
    inferred.summary.converged =
        std::abs(inferred.summary.bound.total() - before.summary.bound.total()) < kLeastScoreGain;
    if (inferred.summary.converged) return;
  }
}

GpInference StructuredGp::method() const {
  const bool differentiable = likelihood_->has_gradients();
  if (options_.inference == GpInference::kNaturalGradient && !differentiable)
    throw UsageError(
        "inference natural-gradient needs a likelihood with gradients: write its operator() as a template of the "
        "number type, or choose score-function");
  if (options_.inference != GpInference::kAuto) return options_.inference;
  return differentiable ? GpInference::kNaturalGradient : GpInference::kScoreFunction;
}

int StructuredGp::score_rounds() const { return options_.iterations > 0 ? options_.iterations : kScoreRounds; }

/// `start`: empty, or the posterior from which resume() continues.
FittedPosterior StructuredGp::infer(GpInference method, const InferenceProblem& problem, const MixturePosterior& start,
                                    InferenceWatch& watch) const {
  const Random random(options_.seed);
  const auto given_or = [](int given, int otherwise) { return given > 0 ? given : otherwise; };
  if (method == GpInference::kSliceSampling) {
    SliceSamplingOptions sampling = {.iterations = given_or(options_.iterations, 20000)};
    std::optional<FittedPosterior> near;  // a chain from the prior would take most of its time to get there
    if (!start.empty()) {
      sampling.start = &start.back();
    } else if (problem.likelihood.has_gradients()) {
      InferenceWatch silent(watch.stop(), InferenceWatch::Clock::now(), {});
      near = fit_by_natural_gradient(problem, {.draws = 16}, random, silent);
      sampling.start = &near->posterior[0];
    }
    return sample_by_slices(problem, sampling, random, watch);
  }
  if (method == GpInference::kNaturalGradient) {
    const NaturalGradientOptions options = {.draws = even(given_or(options_.draws, 16)),
                                            .iterations = given_or(options_.iterations, 30),
                                            .minibatch = minibatch_of(problem),
                                            .tolerance = options_.tolerance};
    return options.minibatch > 0 ? fit_by_minibatches(problem, options, random, watch)
                                 : fit_by_natural_gradient(problem, options, random, watch);
  }
  const bool batch = method == GpInference::kScoreFunction;
  return fit_by_scores(problem,
                       {.batch = batch,
                        .draws = even(given_or(options_.draws, batch ? kScoreDraws : 4000)),
                        .rounds = options_.learn_kernel ? 1
                                  : batch               ? score_rounds()
                                                        : given_or(options_.iterations, 10),
                        .components = static_cast<std::size_t>(options_.components),
                        .diagonal = options_.diagonal,
                        .control_variates = options_.control_variates,
                        .start = start.empty() ? nullptr : &start},
                       random, watch);
}

std::size_t StructuredGp::minibatch_of(const InferenceProblem& problem) const {
  if (options_.minibatch > 0) return static_cast<std::size_t>(options_.minibatch);
  if (options_.minibatch < 0 || problem.projected.item_count() < kManyItems) return 0;
  return std::max(kLeastMinibatch, problem.points());
}

/// Sets the temperature, and the figures of sequences left out in the summary.
void StructuredGp::calibrate(const InferenceProblem& problem, const FittedPosterior& inferred, FitSummary& summary) {
  const PredictiveDistribution predictive = {.posterior = fitted_->posterior,
                                             .likelihood = *likelihood_,
                                             .draws = kPredictionDraws,
                                             .random = prediction_draws()};
  summary.left_out_probabilities.assign(problem.sequences.item_count(), std::nan(""));
  const auto score = [&](const Sequences& sequences, const ProjectedSequences& projected, const Sites& sites,
                         std::span<const std::size_t> which) {
    std::vector<double> marginals(sequences.item_count() * label_count());
    const Matrix<double> rows(marginals.data(), sequences.item_count(), label_count());
    leave_one_out_marginals(projected, predictive, sites, inferred.left_out.means, marginals, options_.threads);
    fitted_->temperature = calibrating_temperature(rows, sequences.labels);
    apply_temperature(fitted_->temperature, rows);
    summary.left_out = score_marginals(rows, sequences.labels);
    std::size_t item = 0;
    for (const std::size_t n : which)
      for (std::size_t t = problem.sequences.begin[n]; t < problem.sequences.begin[n + 1]; ++t, ++item)
        summary.left_out_probabilities[t] = rows(item, sequences.labels[item]);
  };
  const Sites& sites = *inferred.sites;
  std::vector<std::size_t> which = inferred.left_out.sequences;
  if (which.empty() || which.size() == problem.sequences.sequence_count()) {
    which.resize(problem.sequences.sequence_count());
    std::iota(which.begin(), which.end(), std::size_t{});
    return score(problem.sequences, problem.projected, sites, which);
  }
  const Sequences part = sequences_at(problem.sequences, which);
  score(part, ProjectedSequences(part, fitted_->points, options_.threads),
        {.precision = rows_of_sequences(sites.precision, problem.sequences, which),
         .linear = rows_of_sequences(sites.linear, problem.sequences, which)},
        which);
}

Prediction StructuredGp::predict(const Sequences& sequences, int draws, int threads) const {
  if (!fitted_) throw UsageError("predict() needs a model: call fit() or load() first");
  return predict(*fitted_, sequences, draws_->get(*fitted_, draws, threads).get(), draws, threads);
}

/// `weights`: null unless the covariance is linear.
Prediction StructuredGp::predict(const FittedGp& fitted, const Sequences& sequences, const WeightDraws* weights,
                                 int draws, int threads) const {
  Prediction result{.label_count = fitted.posterior[0].unary.labels()};
  result.marginals.resize(sequences.item_count() * result.label_count);
  const PredictiveDistribution predictive = {
      .posterior = fitted.posterior, .likelihood = *likelihood_, .draws = even(draws), .random = prediction_draws()};
  if (weights) average_marginals(sequences, *weights, predictive, result.marginals, threads);
  else average_marginals(ProjectedSequences(sequences, fitted.points, threads), predictive, result.marginals, threads);
  apply_temperature(fitted.temperature,
                    Matrix<double>(result.marginals.data(), sequences.item_count(), result.label_count));
  return result;
}

LatentMoments StructuredGp::latent_moments(const Sequences& sequences, Labels labels, int threads) const {
  if (!fitted_) throw UsageError("latent_moments() needs a model: call fit() or load() first");
  return gp::latent_moments(*fitted_, sequences, labels, threads);
}

void StructuredGp::save(ContainerWriter& writer, std::string_view prefix) const {
  if (!fitted_) throw UsageError("save() needs a model: call fit() or load() first");
  fitted_->save(writer, prefix);
}

StructuredGp StructuredGp::load(const Container& container, std::string_view prefix,
                                std::shared_ptr<const Likelihood> likelihood) {
  FittedGp fitted = FittedGp::load(container, prefix);
  StructuredGp result({.kernel = fitted.points.covariance()});
  result.options_.means = fitted.posterior[0].unary.attribute_means() ? GpMeans::kAttributes : GpMeans::kInducingPoints;
  result.keep(std::move(fitted));
  result.likelihood_ = std::move(likelihood);
  return result;
}

}  // namespace fovea::gp
