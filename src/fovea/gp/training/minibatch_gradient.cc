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
constexpr double kGrowthOfAStep = 1.5, kLeastStepOfAMinibatch = 1e-2;

/// Consecutive sequences and all that is kept of them.
struct Minibatch {
  std::size_t first, last;  ///< sequences
  Sites sites;
  PairwiseFactors pairwise;
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
    const ExpectedLikelihood expected(problem_.sequences, problem_.likelihood, draws, random_.child("pairwise"),
                                      problem_.threads);
    const SiteMoments moments = draw(batch, batch.sites, draws);
    step_pairwise(batch, expected);
    SiteExpectations expectations;
    batch.expected_log_likelihood = expected(pairwise_, &expectations);
    batch.precisions_times_variances = moments.precisions_times_variances;
    step_sites_of(batch, expectations, expected, moments, draws);
  }

  double last_step() const { return rho_; }

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

  /// What the sites of a minibatch come to under q.
  struct SiteMoments {
    double log_density = 0;                 ///< sum of E[linear f - precision f^2 / 2]
    double precisions_times_variances = 0;  ///< sum of precision var[f]
  };

  /// From q.
  SiteMoments draw(const Minibatch& batch, const Sites& sites, LatentDraws& draws) const {
    const std::size_t first = problem_.projected.begin(batch.first);
    std::vector<SiteMoments> parts(batch.last - batch.first);
    draws.draw(problem_.projected, unary_, problem_.threads,
               [&](std::size_t n, std::size_t j, const LatentGaussian& latent) {
                 const Index at = index(problem_.projected.begin(n) - first), length = latent.mean.size();
                 const Vector precision = sites.precision.col(index(j)).segment(at, length),
                              linear = sites.linear.col(index(j)).segment(at, length);
                 const double spread = precision.dot(latent.inducing_covariance.diagonal());
                 parts[n - batch.first].precisions_times_variances += spread;
                 parts[n - batch.first].log_density +=
                     linear.dot(latent.mean) - .5 * (precision.dot(latent.mean.cwiseAbs2()) + spread);
               });
    SiteMoments sum;
    for (const SiteMoments& part : parts) {
      sum.log_density += part.log_density;
      sum.precisions_times_variances += part.precisions_times_variances;
    }
    return sum;
  }

  /// The part of the bound that a minibatch's sites decide, up to a constant: <log p> - KL(q || q without them).
  double worth(double expected_log_likelihood, const SiteMoments& moments) const {
    return expected_log_likelihood - moments.log_density + running_.log_evidence(unary_);
  }

  /// A step that lowers what the minibatch is worth is taken back and halved; the next minibatch starts from its
  /// length.
  void step_sites_of(Minibatch& batch, const SiteExpectations& expectations, const ExpectedLikelihood& expected,
                     const SiteMoments& moments, LatentDraws& draws) {
    const auto rows = rows_of(batch);
    const RowMatrix means = project(rows, unary_.means());
    const double before = worth(batch.expected_log_likelihood, moments);
    const UnaryPosterior start = unary_;
    for (rho_ = std::min(1.0, kGrowthOfAStep * rho_); rho_ > kLeastStepOfAMinibatch; rho_ /= 2) {
      Sites next = batch.sites;
      step_sites(rows, means, expectations, rho_, next);
      running_.replace(rows, batch.sites, next, problem_.threads);
      unary_ = running_.posterior(problem_.threads);
      const SiteMoments moved = draw(batch, next, draws);
      const double expected_log_likelihood = expected(pairwise_, nullptr);
      if (worth(expected_log_likelihood, moved) >= before) {
        batch.sites = std::move(next);
        batch.expected_log_likelihood = expected_log_likelihood;
        batch.precisions_times_variances = moved.precisions_times_variances;
        return;
      }
      running_.replace(rows, next, batch.sites, problem_.threads);
    }
    unary_ = start;
  }

  /// Factors never widen: then what others say is never less sure than the prior.
  void step_pairwise(Minibatch& batch, const ExpectedLikelihood& expected) {
    PairwiseFactors others = PairwiseFactors::of(pairwise_);
    others -= batch.pairwise;
    fit_pairwise(expected, others, kPairwiseIterationsOfAMinibatch, pairwise_);
    const PairwiseFactors fitted = PairwiseFactors::of(pairwise_);
    for (std::size_t e = 0; e < fitted.precision.size(); ++e) {
      const double precision = std::max(fitted.precision[e], others.precision[e]);
      batch.pairwise.precision[e] = precision - others.precision[e];
      batch.pairwise.linear[e] = precision * pairwise_.means[e] - others.linear[e];
      pairwise_.deviations[e] = 1 / std::sqrt(precision);
    }
  }

  const InferenceProblem& problem_;
  const NaturalGradientOptions& options_;
  Random random_;
  std::vector<Minibatch> batches_;
  RunningPosterior running_;
  UnaryPosterior unary_;
  PairwisePosterior pairwise_;
  double rho_ = 1;  // length of the last step
};

}  // namespace

FittedPosterior fit_by_minibatches(const InferenceProblem& problem, const NaturalGradientOptions& options,
                                   const Random& random, InferenceWatch& watch) {
  MinibatchGradient inference(problem, options, random);
  std::vector<std::size_t> order(inference.batch_count());
  std::iota(order.begin(), order.end(), 0);
  Random orders = random.child("orders");
  FitSummary summary;
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
  result.summary.last_step = inference.last_step();
  return result;
}

}  // namespace fovea::gp
