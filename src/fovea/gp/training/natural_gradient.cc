// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/natural_gradient.h"

#include <numeric>

#include "fovea/gp/training/pairwise_fit.h"

namespace fovea::gp {
namespace {

/// Least information, precision * |a|^2, of a site. A site with less hardly narrows the posterior, but costs as much as
/// the others, so its precision becomes 0; any sites make a posterior.
constexpr double kLeastInformation = 1e-3;

}  // namespace

void step_sites(const Eigen::Ref<const LargeRows>& rows, const RowMatrix& means, const SiteExpectations& expectations,
                double rho, Sites& sites) {
  const RowMatrix curvatures = expectations.curvatures.cwiseMax(0);
  sites.precision += rho * (curvatures - sites.precision);
  sites.linear += rho * (curvatures.cwiseProduct(means) + expectations.slopes - sites.linear);
  for (Index t = 0; t < means.rows(); ++t) {
    const double squared_norm = rows.row(t).squaredNorm();
    for (Index j = 0; j < means.cols(); ++j) {
      double& precision = sites.precision(t, j);
      if (precision * squared_norm >= kLeastInformation) continue;
      sites.linear(t, j) -= precision * means(t, j);  // the same pull at the function's present mean
      precision = 0;
    }
  }
}

namespace {

constexpr int kPairwiseIterations = 8;
constexpr double kLeastStep = 1e-3, kGrowth = 1.5;

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

  /// Runs one iteration; returns false when no step raises the bound.
  bool advance() {
    fit_pairwise(expected_, PairwiseFactors::prior_of(pairwise_), kPairwiseIterations, pairwise_);
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

  /// Draws from q of the state, and computes its divergence on the way.
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

  State stepped(const SiteExpectations& to) const {
    State next = {state_.sites, {}};
    step_sites(projected_.rows(), project(projected_.rows(), state_.unary.means()), to, step_, next.sites);
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
