// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/natural_gradient.h"

#include <chrono>
#include <numeric>

#include "fovea/base/seconds_since.h"
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
    std::copy(x.begin() + static_cast<std::ptrdiff_t>(result.means.size()), x.end(), result.log_deviations.begin());
    return result;
  }

 private:
  const ExpectedLikelihood& expected_;
  PairwisePosterior posterior_;
};

class NaturalGradient {
 public:
  NaturalGradient(const Sequences& sequences, const ProjectedSequences& projected, std::size_t labels,
                  const Likelihood& likelihood, const NaturalGradientOptions& options, const Random& random)
      : projected_(projected),
        options_(options),
        draws_(projected, 0, projected.sequence_count(), labels, options.draws, LatentDraws::Use::kTraining,
               random.child("draws")),
        expected_(sequences, likelihood, draws_, random.child("pairwise"), options.threads) {
    const Index items = index(projected.item_count()), m = projected.rows().cols();
    state_.sites = {RowMatrix::Zero(items, index(labels)), RowMatrix::Zero(items, index(labels))};
    state_.unary = UnaryPosterior(labels, size(m));
    pairwise_ = PairwisePosterior(labels, options.pairwise_variance);
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
  FittedPosterior result() && {
    return {.sites = std::move(state_.sites), .unary = std::move(state_.unary), .pairwise = pairwise_, .summary = {}};
  }

 private:
  struct State {
    Sites sites;
    UnaryPosterior unary;
    double divergence = 0;
  };

  /// From q of the state, whose divergence becomes known on the way.
  void draw() {
    std::vector<double> sums(projected_.sequence_count());  // of precisions times variances
    draws_.draw(projected_, state_.unary, options_.threads,
                [&](std::size_t n, std::size_t j, const LatentGaussian& latent) {
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
    x.insert(x.end(), pairwise_.log_deviations.begin(), pairwise_.log_deviations.end());
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
    next.unary = UnaryPosterior(projected_.rows(), next.sites, options_.threads);
    return next;
  }

  const ProjectedSequences& projected_;
  const NaturalGradientOptions& options_;
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

FittedPosterior fit_by_natural_gradient(const Sequences& sequences, const ProjectedSequences& projected,
                                        std::size_t labels, const Likelihood& likelihood,
                                        const NaturalGradientOptions& options, const Random& random, const Stop& stop,
                                        const ProgressFunction& progress) {
  const auto start = std::chrono::steady_clock::now();
  NaturalGradient inference(sequences, projected, labels, likelihood, options, random);
  FitSummary summary;
  const double least_gain = options.tolerance * static_cast<double>(projected.item_count());
  while (summary.iterations < options.iterations && !stop.requested()) {
    summary.converged = !inference.advance() || (summary.iterations > 0 && inference.gain() < least_gain);
    ++summary.iterations;
    if (progress)
      progress({.phase = "training",
                .done = static_cast<double>(summary.iterations),
                .total = static_cast<double>(options.iterations),
                .seconds = seconds_since(start),
                .figure = "bound",
                .value = inference.last_bound().total()});
    if (summary.converged) break;
  }
  summary.bound = inference.last_bound();
  summary.last_step = inference.last_step();
  summary.seconds = seconds_since(start);
  FittedPosterior result = std::move(inference).result();
  result.summary = summary;
  return result;
}

}  // namespace fovea::gp
