// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/batch_ascent.h"

#include "fovea/base/parallel.h"
#include "fovea/gp/training/pairwise_fit.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {
namespace {

/// Of gradients that are estimated apart from the values: near the optimum they lead nowhere.
constexpr int kLineSearchTrials = 6;
constexpr int kUnaryIterations = 50, kPairwiseIterationsOfARound = 10;
/// Each has a gradient of its own to add to.
constexpr std::size_t kMostTasks = 4;

/// Blocks of sequences, shared out to a few tasks.
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
    if (stop_.requested()) return std::numeric_limits<double>::infinity();  // no line search takes it
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

/// <log p> of all sequences by the score function, as long as the components stay as they are.
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
