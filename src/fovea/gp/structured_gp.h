// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/base/run_control.h"
#include "fovea/gp/data/sequences.h"
#include "fovea/gp/latent_moments.h"
#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/likelihood/density_likelihood.h"
#include "fovea/gp/posterior/fit_summary.h"
#include "fovea/gp/structured_gp_options.h"

namespace fovea::gp {

struct FittedPosterior;
struct InferenceProblem;
class InferenceWatch;
struct PosteriorComponent;
struct Sites;
class WeightDraws;

/// Predictions of a fitted model for sequences.
struct Prediction {
  std::size_t label_count = 0;
  std::vector<double> marginals = {};  ///< items x |V|: p(y_t = j | x, training data), averaged over the posterior

  Matrix<const double> marginals_matrix() const {
    return {marginals.data(), marginals.size() / label_count, label_count};
  }
};

/// One iteration of a fit, for an observer.
struct FitRecord {
  int iteration = 0;
  double seconds = 0;                                   ///< of the fit so far, without the observer's own time
  double bound = 0;                                     ///< slice-sampling: log density of the labels
  std::function<Prediction(const Sequences&)> predict;  ///< by the present model; without temperature
  /// Saves the present model, as StructuredGp::save does: for checkpoints, from which resume() continues.
  std::function<void(ContainerWriter&, std::string_view prefix)> save;
};
using FitObserver = std::function<void(const FitRecord&)>;

/// A Bayesian sequence tagger (Galliani, Dezfouli, Bonilla, Quadrianto (2017), "Gray-box inference for structured
/// Gaussian process models"): a Gaussian process over sparse features for each label (equation 4), a Gaussian score for
/// each pair of labels (5), and any likelihood of the labels of a sequence given these (1).
///
/// fit() approximates the posterior by Gaussians over the processes' values at inducing points and over the pairwise
/// function (13, 16), and maximises a lower bound of the evidence (15); or draws from it by a Markov chain.
class StructuredGp {
 public:
  explicit StructuredGp(StructuredGpOptions options = {});
  StructuredGp(StructuredGp&&) noexcept;
  StructuredGp& operator=(StructuredGp&&) noexcept;
  ~StructuredGp();

  /// Fits to sequences of at least one item, with labels below label_count. Throws InputError if the likelihood is not
  /// finite or the covariance is not positive definite; UsageError for options out of range; CancelledError if it is
  /// cancelled before its first step. After a deadline it ends with what it has, the prior at worst.
  FitSummary fit(const Sequences& sequences, std::shared_ptr<const Likelihood> likelihood, const Stop& stop = {},
                 const ProgressFunction& progress = {}, const FitObserver& observer = {});
  /// The same with a user's own log p(y | f): see Density.
  template <Density F>
  FitSummary fit(const Sequences& sequences, F density, const Stop& stop = {}, const ProgressFunction& progress = {}) {
    return fit(sequences, std::make_shared<DensityLikelihood<F>>(std::move(density)), stop, progress);
  }
  /// The same with the exact chain.
  FitSummary fit(const Sequences& sequences, const Stop& stop = {}, const ProgressFunction& progress = {}) {
    return fit(sequences, std::make_shared<ChainLikelihood>(), stop, progress);
  }

  /// Continues from the posterior that fit() or load() left, with its kernel, inducing points and components, by
  /// score-function, saga or slice-sampling; means by attributes continue from those by inducing points. Throws as
  /// fit() does. Also throws UsageError for natural-gradient, which starts from the data alone, and without a model;
  /// then the model stays unchanged.
  FitSummary resume(const Sequences& sequences, StructuredGpOptions options, const Stop& stop = {},
                    const ProgressFunction& progress = {}, const FitObserver& observer = {});

  /// Predicts marginals; labels are ignored. `draws`: number of draws of the latent functions over which marginals are
  /// averaged. Fewer raise -log p: by 4 % for 64, on chunks of text. Thread-safe.
  Prediction predict(const Sequences& sequences, int draws = kPredictionDraws, int threads = 0) const;
  static constexpr int kPredictionDraws = 128;

  /// Mean and variance of the latent function of one label at each item; `labels`: one for each item. Exact for the
  /// Gaussians found, but not cheap: O(M^2) an item. Thread-safe.
  LatentMoments latent_moments(const Sequences& sequences, Labels labels, int threads = 0) const;

  /// Number of labels; this and the number of inducing points are 0 before fit() or load().
  std::size_t label_count() const;
  std::size_t inducing_point_count() const;
  /// Temperature of marginals; see StructuredGpOptions::calibrate.
  double temperature() const;
  const StructuredGpOptions& options() const;

  /// Adds sections whose names begin with `prefix`. Throws UsageError for a covariance function without a text.
  void save(ContainerWriter& writer, std::string_view prefix) const;
  /// Throws InputError if sections do not fit each other or hold numbers that are not finite.
  static StructuredGp load(const Container& container, std::string_view prefix,
                           std::shared_ptr<const Likelihood> likelihood);

 private:
  struct FitWatchers;
  struct KeptDraws;
  class Projection;
  GpInference method() const;
  int score_rounds() const;
  FittedPosterior learn_kernel(Projection& projection, const FitWatchers& watchers) const;
  void learn_kernel_in_rounds(Projection& projection, FittedPosterior& inferred, InferenceWatch& watch) const;
  std::size_t minibatch_of(const InferenceProblem& problem) const;
  FitSummary fit(FittedGp fitted, const Sequences& sequences, const FitWatchers& watchers);
  FittedPosterior infer(GpInference method, const InferenceProblem& problem,
                        const std::vector<PosteriorComponent>& start, InferenceWatch& watch) const;
  Prediction predict(const FittedGp& fitted, const Sequences& sequences, const WeightDraws* weights, int draws,
                     int threads) const;
  void keep(FittedGp fitted);
  void calibrate(const InferenceProblem& problem, const FittedPosterior& inferred, FitSummary& summary);

  StructuredGpOptions options_;
  std::unique_ptr<FittedGp> fitted_;
  std::unique_ptr<KeptDraws> draws_;  // of fitted_
  std::shared_ptr<const Likelihood> likelihood_;
};

}  // namespace fovea::gp
