// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/batch_ascent.h"

#include <numeric>

#include "fovea/base/parallel.h"
#include "fovea/base/random.h"
#include "fovea/gp/posterior/posteriors.h"
#include "fovea/gp/training/natural_gradient.h"
#include "fovea/gp/training/pairwise_fit.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {
namespace {

constexpr int kPairwiseIterationsOfAMinibatch = 4;
constexpr double kGrowthOfAStep = 1.5, kLeastStepOfAMinibatch = 1e-2;

/// Consecutive sequences and the state kept for them.
struct Minibatch {
  std::size_t first, last;  ///< sequences
  Sites sites;
  PairwiseFactors pairwise;
  double expected_log_likelihood = 0, precisions_times_variances = 0;  ///< at the last visit
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

  /// Moments of a minibatch's sites under q.
  struct SiteMoments {
    double log_density = 0;                 ///< sum of E[linear f - precision f^2 / 2]
    double precisions_times_variances = 0;  ///< sum of precision var[f]
  };

  /// Draws from q.
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

  /// The part of the bound that depends on a minibatch's sites, up to a constant: <log p> - KL(q || q without them).
  double worth(double expected_log_likelihood, const SiteMoments& moments) const {
    return expected_log_likelihood - moments.log_density + running_.log_evidence(unary_);
  }

  /// A step that lowers the minibatch's worth is undone and halved; the next minibatch starts from its length.
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

  /// Precisions of factors never become negative, so that the others are never less certain than the prior.
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

namespace {

/// Few trials, since gradients are estimated separately from the values: near the optimum they lead nowhere.
constexpr int kLineSearchTrials = 6;
constexpr int kUnaryIterations = 50, kPairwiseIterationsOfARound = 10;
/// Maximum number of tasks; each has a gradient of its own to add to.
constexpr std::size_t kMostTasks = 4;

/// Blocks of sequences, divided among a few tasks.
struct BlockTasks {
  explicit BlockTasks(const ProjectedSequences& projected)
      : blocks(sequence_blocks(projected, 0, projected.sequence_count())),
        grain(std::max<std::size_t>(1, (blocks.size() - 1 + kMostTasks - 1) / kMostTasks)) {}
  std::size_t count() const { return blocks.size() - 1; }
  std::size_t task_count() const { return (count() + grain - 1) / grain; }

  std::vector<std::size_t> blocks;
  std::size_t grain;
};

void add(const UnaryGaussian& from, UnaryGaussian& to) {
  to.means += from.means;
  to.deviations += from.deviations;
  for (std::size_t j = 0; j < to.factors.size(); ++j) to.factors[j] += from.factors[j];
}

class UnaryObjective {
 public:
  using Real = double;
  UnaryObjective(const InferenceProblem& problem, const ScoreEstimator& estimator, const Stop& stop,
                 VariationalMixture& mixture)
      : problem_(problem), estimator_(estimator), stop_(stop), mixture_(mixture), dimension_(mixture.packed().size()) {}

  std::size_t dimension() const { return dimension_; }
  double evaluate(std::span<const double> x, std::span<double> gradient) {
    if (stop_.requested()) return std::numeric_limits<double>::infinity();  // no line search accepts it
    mixture_.unpack(x);
    MixtureGradient slopes(mixture_);
    const double bound = unary_bound(problem_, estimator_, mixture_, slopes);
    slopes.pack(mixture_, gradient);
    for (double& slope : gradient) slope = -slope;
    return -bound;
  }

 private:
  const InferenceProblem& problem_;
  const ScoreEstimator& estimator_;
  const Stop& stop_;
  VariationalMixture& mixture_;
  std::size_t dimension_;
};

/// <log p> of all sequences by the score function, valid while the components stay unchanged.
class PairwiseScores {
 public:
  PairwiseScores(const InferenceProblem& problem, const ScoreEstimator& estimator, const VariationalMixture& mixture)
      : problem_(problem), estimator_(estimator), weights_(mixture.weights) {
    const BlockTasks tasks(problem.projected);
    latent_.resize(weights_.size(), std::vector<SequenceGaussian>(problem.projected.sequence_count()));
    for (std::size_t k = 0; k < weights_.size(); ++k)
      parallel_for(tasks.count(), 1, problem.threads, [&](std::size_t b, std::size_t) {
        const ProjectedComponent projected(problem, mixture.components[k], tasks.blocks[b], tasks.blocks[b + 1]);
        for (std::size_t n = tasks.blocks[b]; n < tasks.blocks[b + 1]; ++n)
          latent_[k][n] = projected.at(n, mixture.pairwise);
      });
  }

  double at(const PairwisePosterior& pairwise, std::span<double> means, std::span<double> log_deviations) {
    std::fill(means.begin(), means.end(), 0);
    std::fill(log_deviations.begin(), log_deviations.end(), 0);
    last_ = 0;
    for (std::size_t k = 0; k < latent_.size(); ++k) add_component(k, pairwise, means, log_deviations);
    return last_;
  }
  double last() const { return last_; }

 private:
  void add_component(std::size_t k, const PairwisePosterior& pairwise, std::span<double> means,
                     std::span<double> log_deviations) {
    std::vector<SequenceExpectation> expectations(problem_.projected.sequence_count());
    parallel_for(expectations.size(), 1, problem_.threads, [&](std::size_t n, std::size_t) {
      latent_[k][n].pairwise = &pairwise;
      expectations[n] = estimator_.estimate(n, latent_[k][n], k, false, true, 1);
    });
    for (const SequenceExpectation& expectation : expectations) {
      last_ += weights_[k] * expectation.value;
      for (std::size_t e = 0; e < means.size(); ++e) {
        means[e] += weights_[k] * expectation.pairwise_means[e];
        log_deviations[e] += weights_[k] * expectation.pairwise_log_deviations[e];
      }
    }
  }

  const InferenceProblem& problem_;
  const ScoreEstimator& estimator_;
  const std::vector<double>& weights_;
  std::vector<std::vector<SequenceGaussian>> latent_;  // [component][sequence]
  double last_ = 0;
};

}  // namespace

double unary_bound(const InferenceProblem& problem, const ScoreEstimator& estimator, const VariationalMixture& mixture,
                   MixtureGradient& gradient) {
  const BlockTasks tasks(problem.projected);
  std::vector<MixtureGradient> parts(tasks.task_count(), MixtureGradient(mixture));
  parallel_for(tasks.count(), tasks.grain, problem.threads, [&](std::size_t begin, std::size_t end) {
    MixtureGradient& part = parts[begin / tasks.grain];
    std::vector<SequenceExpectation> expectations;
    for (std::size_t b = begin; b < end; ++b)
      for (std::size_t k = 0; k < mixture.components.size(); ++k) {
        const ProjectedComponent projected(problem, mixture.components[k], tasks.blocks[b], tasks.blocks[b + 1]);
        expectations.clear();
        for (std::size_t n = tasks.blocks[b]; n < tasks.blocks[b + 1]; ++n) {
          expectations.push_back(estimator.estimate(n, projected.at(n, mixture.pairwise), k, true, false, 1));
          part.weights[k] += expectations.back().value;
        }
        projected.add_gradient(expectations, mixture.weights[k], part.components[k]);
      }
  });
  double value = add_negative_divergence(mixture, gradient) - mixture.pairwise.divergence();
  for (const MixtureGradient& part : parts)
    for (std::size_t k = 0; k < mixture.components.size(); ++k) {
      add(part.components[k], gradient.components[k]);
      gradient.weights[k] += part.weights[k];
      value += mixture.weights[k] * part.weights[k];
    }
  return value;
}

void ascend_unary(const InferenceProblem& problem, const ScoreEstimator& estimator, const Stop& stop,
                  VariationalMixture& mixture, const BoundObserver& observer) {
  UnaryObjective objective(problem, estimator, stop, mixture);
  std::vector<double> x = mixture.packed();
  optimize::minimize_lbfgs(objective, std::span(x),
                           {.stopping = {.max_iterations = kUnaryIterations}, .line_search_trials = kLineSearchTrials},
                           {}, [&](const optimize::IterationRecord& record) {
                             mixture.unpack(x);
                             return observer(-record.objective);
                           });
  mixture.unpack(x);
}

Bound ascend_pairwise(const InferenceProblem& problem, const ScoreEstimator& estimator, VariationalMixture& mixture,
                      const BoundObserver& observer) {
  PairwiseScores scores(problem, estimator, mixture);
  MixtureGradient ignored(mixture);
  PairwisePosterior& pairwise = mixture.pairwise;
  Bound bound;
  bound.unary_divergence = -add_negative_divergence(mixture, ignored);
  fit_pairwise([&](const PairwisePosterior& q, std::span<double> means,
                   std::span<double> log_deviations) { return scores.at(q, means, log_deviations); },
               PairwiseFactors::prior_of(pairwise),
               {.stopping = {.max_iterations = kPairwiseIterationsOfARound}, .line_search_trials = kLineSearchTrials},
               pairwise, [&] { return observer(scores.last() - pairwise.divergence() - bound.unary_divergence); });
  std::vector<double> means(pairwise.means.size()), log_deviations = means;
  bound.expected_log_likelihood = scores.at(pairwise, means, log_deviations);
  bound.pairwise_divergence = pairwise.divergence();
  return bound;
}

}  // namespace fovea::gp
