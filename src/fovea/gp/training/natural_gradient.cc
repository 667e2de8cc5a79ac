// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/natural_gradient.h"

#include <numeric>

#include "fovea/optimize/lbfgs.h"

namespace fovea::gp {
namespace {

constexpr int kPairwiseIterations = 8;
constexpr double kLeastStep = 1e-3, kGrowth = 1.5;
/// A site of less precision * |a|^2 hardly narrows the posterior, but costs as much as the others: it may as well say
/// nothing of the variance, for any sites make a posterior.
constexpr double kLeastInformation = 1e-3;

/// Minus the part of the bound that depends on the pairwise function: x = means, then log deviations.
class PairwiseObjective {
 public:
  using Real = double;

  PairwiseObjective(const ExpectedLikelihood& expected, const PairwisePosterior& start)
      : expected_(expected), posterior_(start) {}

  std::size_t dimension() const { return 2 * posterior_.means.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) {
    const std::size_t n = posterior_.means.size();
    posterior_ = at(x);
    const double value =
        posterior_.divergence() - expected_.pairwise_gradients(posterior_, gradient.first(n), gradient.subspan(n));
    for (std::size_t e = 0; e < n; ++e) {
      gradient[e] = posterior_.means[e] / posterior_.prior_variance - gradient[e];
      gradient[n + e] = std::exp(2 * x[n + e]) / posterior_.prior_variance - 1 - gradient[n + e];
    }
    return value;
  }

  PairwisePosterior at(std::span<const double> x) const {
    PairwisePosterior result = posterior_;
    std::copy_n(x.begin(), result.means.size(), result.means.begin());
    for (std::size_t e = 0; e < result.means.size(); ++e) result.deviations[e] = std::exp(x[result.means.size() + e]);
    return result;
  }

 private:
  const ExpectedLikelihood& expected_;
  PairwisePosterior posterior_;
};

class NaturalGradient {
 public:
  NaturalGradient(const InferenceProblem& problem, std::size_t draws, const Random& random)
      : projected_(problem.projected),
        threads_(problem.threads),
        draws_(projected_, 0, projected_.sequence_count(), problem.labels(), draws, LatentDraws::Use::kTraining,
               random.child("draws")),
        expected_(problem.sequences, problem.likelihood, draws_, random.child("pairwise"), problem.threads) {
    const Index items = index(projected_.item_count()), labels = index(problem.labels());
    state_.sites = {RowMatrix::Zero(items, labels), RowMatrix::Zero(items, labels)};
    state_.unary = UnaryPosterior(problem.labels(), problem.points());
    pairwise_ = PairwisePosterior(problem.labels(), problem.pairwise_variance);
    draw();
  }

  /// One iteration; false when no step raises the bound any more.
  bool advance() {
    fit_pairwise();
    SiteExpectations expectations;
    const Bound before = bound(&expectations);
    for (;; step_ /= 2) {
      if (step_ < kLeastStep) {
        bound_ = before;
        return false;
      }
      State next = stepped(expectations);
      std::swap(state_, next);
      draw();
      bound_ = bound(nullptr);
      if (bound_.total() >= before.total() || is_first_) break;
      std::swap(state_, next);
    }
    gain_ = bound_.total() - before.total();
    last_step_ = step_;
    step_ = std::min(1.0, step_ * kGrowth);
    is_first_ = false;
    return true;
  }

  const Bound& last_bound() const { return bound_; }
  double gain() const { return gain_; }
  double last_step() const { return last_step_; }
  MixturePosterior posterior() const { return {{.unary = state_.unary, .pairwise = pairwise_}}; }
  const Sites& sites() const { return state_.sites; }

 private:
  struct State {
    Sites sites;
    UnaryPosterior unary;
    double divergence = 0;
  };

  /// From q of the state, whose divergence becomes known on the way.
  void draw() {
    std::vector<double> sums(projected_.sequence_count());  // of precisions times variances
    draws_.draw(projected_, state_.unary, threads_, [&](std::size_t n, std::size_t j, const LatentGaussian& latent) {
      const auto precisions =
          state_.sites.precision.col(index(j)).segment(index(projected_.begin(n)), latent.mean.size());
      sums[n] += precisions.dot(latent.inducing_covariance.diagonal());
    });
    state_.divergence = state_.unary.divergence(std::accumulate(sums.begin(), sums.end(), 0.0));
  }

  Bound bound(SiteExpectations* expectations) const {
    return {.expected_log_likelihood = expected_(pairwise_, expectations),
            .unary_divergence = state_.divergence,
            .pairwise_divergence = pairwise_.divergence()};
  }

  void fit_pairwise() {
    PairwiseObjective objective(expected_, pairwise_);
    std::vector<double> x = pairwise_.means;
    for (const double deviation : pairwise_.deviations) x.push_back(std::log(deviation));
    LbfgsOptions options;
    options.stopping.max_iterations = kPairwiseIterations;
    minimize_lbfgs(objective, std::span(x), options);
    pairwise_ = objective.at(x);
  }

  State stepped(const SiteExpectations& to) const {
    State next = {state_.sites, {}};
    const RowMatrix means = project(projected_.rows(), state_.unary.means());
    const RowMatrix curvatures = to.curvatures.cwiseMax(0);
    next.sites.precision += step_ * (curvatures - next.sites.precision);
    next.sites.linear += step_ * (curvatures.cwiseProduct(means) + to.slopes - next.sites.linear);
    for (Index t = 0; t < means.rows(); ++t)
      for (Index j = 0; j < means.cols(); ++j) {
        double& precision = next.sites.precision(t, j);
        if (precision * norms_[t] >= kLeastInformation) continue;
        next.sites.linear(t, j) -= precision * means(t, j);  // pulls as before where the function is now
        precision = 0;
      }
    next.unary = UnaryPosterior(projected_.rows(), next.sites, threads_);
    return next;
  }

  const ProjectedSequences& projected_;
  int threads_;
  LatentDraws draws_;
  ExpectedLikelihood expected_;
  State state_;
  PairwisePosterior pairwise_;
  Bound bound_;
  Vector norms_ = projected_.rows().rowwise().squaredNorm().cast<double>();  // |a_t|^2
  double step_ = .5, last_step_ = 0, gain_ = 0;
  bool is_first_ = true;
};

}  // namespace

FittedPosterior fit_by_natural_gradient(const InferenceProblem& problem, const NaturalGradientOptions& options,
                                        const Random& random, InferenceWatch& watch) {
  NaturalGradient inference(problem, options.draws, random);
  FitSummary summary;
  const double least_gain = options.tolerance * static_cast<double>(problem.projected.item_count());
  while (summary.iterations < options.iterations && !summary.converged && !watch.stop_requested()) {
    summary.converged = !inference.advance() || (summary.iterations > 0 && inference.gain() < least_gain);
    ++summary.iterations;
    watch.report({.phase = "training",
                  .iteration = summary.iterations,
                  .of = options.iterations,
                  .bound = inference.last_bound().total()},
                 [&] { return inference.posterior(); });
  }
  summary.bound = inference.last_bound();
  summary.last_step = inference.last_step();
  return {.posterior = inference.posterior(), .sites = inference.sites(), .summary = summary};
}

}  // namespace fovea::gp
