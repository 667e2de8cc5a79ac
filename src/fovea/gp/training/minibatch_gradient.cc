// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/minibatch_gradient.h"

#include <numeric>

#include "fovea/base/shuffle.h"
#include "fovea/gp/posterior/running_posterior.h"
#include "fovea/gp/training/pairwise_fit.h"
#include "fovea/gp/training/site_step.h"

namespace fovea::gp {
namespace {

constexpr int kPairwiseIterationsOfAMinibatch = 4;
/// Of the whole precision: what others say of a label pair never counts for less.
constexpr double kLeastPrecisionOfOthers = 1e-3;
/// How much of a site that has been set before moves at once.
constexpr double kLaterStep = .7;

/// Consecutive sequences and all that is kept of them.
struct Minibatch {
  std::size_t first, last;  ///< sequences
  Sites sites;
  PairwiseFactors pairwise;
  bool is_seen = false;
  double expected_log_likelihood = 0, precisions_times_variances = 0;  ///< when it was last looked at
};

class MinibatchGradient {
 public:
  MinibatchGradient(const InferenceProblem& problem, const NaturalGradientOptions& options, const Random& random)
      : problem_(problem),
        options_(options),
        random_(random),
        running_(problem.labels(), problem.points()),
        unary_(problem.labels(), problem.points()),
        pairwise_(problem.labels(), problem.pairwise_variance) {
    const ProjectedSequences& all = problem.projected;
    for (std::size_t n = 0; n < all.sequence_count(); ++n) {
      if (batches_.empty() || all.begin(n) - all.begin(batches_.back().first) >= options.minibatch)
        batches_.push_back({.first = n, .last = n, .sites = {}, .pairwise = {}});
      batches_.back().last = n + 1;
    }
    const std::size_t pairs = problem.labels() * problem.labels();
    for (Minibatch& batch : batches_) {
      const Index items = index(all.begin(batch.last) - all.begin(batch.first)), labels = index(problem.labels());
      batch.sites = {RowMatrix::Zero(items, labels), RowMatrix::Zero(items, labels)};
      batch.pairwise = {std::vector<double>(pairs), std::vector<double>(pairs)};
    }
  }

  std::size_t batch_count() const { return batches_.size(); }

  void step(std::size_t which) {
    Minibatch& batch = batches_[which];
    LatentDraws draws(problem_.projected, batch.first, batch.last, problem_.labels(), options_.draws,
                      LatentDraws::Use::kTraining, random_.child("draws"));
    look_at(batch, draws);
    const ExpectedLikelihood expected(problem_.sequences, problem_.likelihood, draws, random_.child("pairwise"),
                                      problem_.threads);
    step_pairwise(batch, expected);
    SiteExpectations expectations;
    batch.expected_log_likelihood = expected(pairwise_, &expectations);
    const auto rows = rows_of(batch);
    Sites next = batch.sites;
    step_sites(rows, project(rows, unary_.means()), expectations, batch.is_seen ? kLaterStep : 1, next);
    running_.replace(rows, batch.sites, next, problem_.threads);
    batch.sites = std::move(next);
    batch.is_seen = true;
    unary_ = running_.posterior(problem_.threads);
  }

  Bound bound() const {
    Bound result{.pairwise_divergence = pairwise_.divergence()};
    double sum = 0;
    for (const Minibatch& batch : batches_) {
      result.expected_log_likelihood += batch.expected_log_likelihood;
      sum += batch.precisions_times_variances;
    }
    result.unary_divergence = unary_.divergence(sum);
    return result;
  }

  MixturePosterior posterior() const { return {{.unary = unary_, .pairwise = pairwise_}}; }

  Sites sites() const {
    const Index items = index(problem_.projected.item_count()), labels = index(problem_.labels());
    Sites all = {RowMatrix(items, labels), RowMatrix(items, labels)};
    for (const Minibatch& batch : batches_) {
      const Index first = index(problem_.projected.begin(batch.first)), count = batch.sites.precision.rows();
      all.precision.middleRows(first, count) = batch.sites.precision;
      all.linear.middleRows(first, count) = batch.sites.linear;
    }
    return all;
  }

 private:
  Eigen::Ref<const LargeRows> rows_of(const Minibatch& batch) const {
    const std::size_t first = problem_.projected.begin(batch.first);
    return problem_.projected.rows().middleRows(index(first), index(problem_.projected.begin(batch.last) - first));
  }

  void look_at(Minibatch& batch, LatentDraws& draws) const {
    const std::size_t first = problem_.projected.begin(batch.first);
    std::vector<double> sums(batch.last - batch.first);
    draws.draw(problem_.projected, unary_, problem_.threads,
               [&](std::size_t n, std::size_t j, const LatentGaussian& latent) {
                 const Index at = index(problem_.projected.begin(n) - first);
                 sums[n - batch.first] += batch.sites.precision.col(index(j))
                                              .segment(at, latent.mean.size())
                                              .dot(latent.inducing_covariance.diagonal());
               });
    batch.precisions_times_variances = std::accumulate(sums.begin(), sums.end(), 0.0);
  }

  void step_pairwise(Minibatch& batch, const ExpectedLikelihood& expected) {
    const PairwiseFactors whole = PairwiseFactors::of(pairwise_);
    PairwiseFactors others = whole;
    others -= batch.pairwise;
    for (std::size_t e = 0; e < others.precision.size(); ++e)
      others.precision[e] = std::max(others.precision[e], kLeastPrecisionOfOthers * whole.precision[e]);
    fit_pairwise(expected, others, kPairwiseIterationsOfAMinibatch, pairwise_);
    batch.pairwise = PairwiseFactors::of(pairwise_);
    batch.pairwise -= others;
  }

  const InferenceProblem& problem_;
  const NaturalGradientOptions& options_;
  Random random_;
  std::vector<Minibatch> batches_;
  RunningPosterior running_;
  UnaryPosterior unary_;
  PairwisePosterior pairwise_;
};

}  // namespace

FittedPosterior fit_by_minibatches(const InferenceProblem& problem, const NaturalGradientOptions& options,
                                   const Random& random, InferenceWatch& watch) {
  MinibatchGradient inference(problem, options, random);
  std::vector<std::size_t> order(inference.batch_count());
  std::iota(order.begin(), order.end(), 0);
  Random orders = random.child("orders");
  FitSummary summary;
  summary.last_step = kLaterStep;
  const double least_change = options.tolerance * static_cast<double>(problem.projected.item_count());
  while (summary.iterations < options.iterations && !summary.converged && !watch.stop_requested()) {
    const double before = inference.bound().total();
    shuffle(std::span(order), orders);
    for (std::size_t done = 0; done < order.size() && !watch.stop_requested(); ++done) {
      inference.step(order[done]);
      watch.report({.phase = "training",
                    .iteration = summary.iterations * static_cast<int>(order.size()) + static_cast<int>(done) + 1,
                    .of = options.iterations * static_cast<int>(order.size()),
                    .bound = inference.bound().total()},
                   [&] { return inference.posterior(); });
    }
    summary.converged = ++summary.iterations > 2 && std::abs(inference.bound().total() - before) < least_change;
  }
  FittedPosterior result{.posterior = inference.posterior(), .sites = inference.sites(), .summary = summary};
  result.posterior[0].unary = UnaryPosterior(problem.projected.rows(), *result.sites, problem.threads);
  result.summary.bound = inference.bound();
  return result;
}

}  // namespace fovea::gp
