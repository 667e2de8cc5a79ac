// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/slice_sampling.h"

#include <numbers>

#include "fovea/base/parallel.h"
#include "fovea/gp/training/expectations.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kSequencesOfASlice = 8;
/// Least bracket of angles: if it gets smaller, only rounding prevents an answer, and the state stays.
constexpr double kLeastBracket = 1e-12;

/// to = a cos(angle) + b sin(angle).
void rotate(const LatentState& a, const LatentState& b, double angle, LatentState& to) {
  const double c = std::cos(angle), s = std::sin(angle);
  to.inducing = c * a.inducing + s * b.inducing;
  to.unary = c * a.unary + s * b.unary;
  to.pairwise.resize(a.pairwise.size());
  for (std::size_t e = 0; e < to.pairwise.size(); ++e) to.pairwise[e] = c * a.pairwise[e] + s * b.pairwise[e];
}

/// Number of threads for all sequences, by the approximate cost of their likelihood.
int threads_for(const InferenceProblem& problem) {
  return threads_worth(problem.threads, 10 * problem.projected.item_count() * problem.labels() * problem.labels());
}

LatentState prior_draw(const InferenceProblem& problem, const Random& random) {
  LatentState state;
  LatentPrior(problem).draw(random, state);
  return state;
}

}  // namespace

LatentPrior::LatentPrior(const InferenceProblem& problem)
    : problem_(problem), residual_factors_(problem.projected.sequence_count()) {
  parallel_for(residual_factors_.size(), kSequencesOfASlice, problem.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      LatentGaussian left_open;
      left_open.inducing_covariance.setZero(index(problem.projected.length(n)), index(problem.projected.length(n)));
      left_open.factorize(problem.projected.residual(n));
      residual_factors_[n] = std::move(left_open.factor);
    }
  });
}

void LatentPrior::draw(const Random& random, LatentState& to) const {
  to.inducing.resize(index(problem_.labels()), index(problem_.points()));
  Random inducing = random.child("inducing");
  for (double& v : to.inducing.reshaped()) v = inducing.normal();
  set_unary(random, to);
  to.pairwise.resize(problem_.labels() * problem_.labels());
  Random pairwise = random.child("pairwise");
  for (double& score : to.pairwise) score = std::sqrt(problem_.pairwise_variance) * pairwise.normal();
}

LatentState LatentPrior::draw(const PosteriorComponent& from, const Random& random) const {
  LatentState state;
  draw(random, state);  // standard normals at the inducing points
  if (from.unary.is_point()) state.inducing = from.unary.means();
  for (std::size_t j = 0; !from.unary.is_point() && j < from.unary.labels(); ++j) {
    Eigen::VectorXf deviation = state.inducing.row(index(j)).transpose().cast<float>();
    from.unary.factor(j).triangularView<Eigen::Lower>().transpose().solveInPlace(deviation);
    state.inducing.row(index(j)) = from.unary.means().row(index(j)) + deviation.cast<double>().transpose();
  }
  set_unary(random, state);
  Random pairwise = random.child("pairwise");
  for (std::size_t e = 0; e < state.pairwise.size(); ++e)
    state.pairwise[e] = from.pairwise.means[e] + from.pairwise.deviations[e] * pairwise.normal();
  return state;
}

void LatentPrior::set_unary(const Random& random, LatentState& to) const {
  LargeColumns values;  // |V| x items
  multiply(to.inducing.cast<float>(), problem_.projected.rows().transpose(), values);
  to.unary = values.transpose().cast<double>();
  parallel_for(residual_factors_.size(), kSequencesOfASlice, threads_for(problem_),
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t n = begin; n < end; ++n) add_residual(n, random.child("residual", n), to.unary);
               });
}

void LatentPrior::add_residual(std::size_t sequence, Random random, RowMatrix& unary) const {
  const Index length = index(problem_.projected.length(sequence));
  ColumnMatrix normals(length, unary.cols());
  for (double& normal : normals.reshaped()) normal = random.normal();
  unary.middleRows(index(problem_.projected.begin(sequence)), length) +=
      residual_factors_[sequence].triangularView<Eigen::Lower>() * normals;
}

EllipticalSliceSampler::EllipticalSliceSampler(const InferenceProblem& problem, const Random& random)
    : EllipticalSliceSampler(problem, random, prior_draw(problem, random.child("start"))) {}

EllipticalSliceSampler::EllipticalSliceSampler(const InferenceProblem& problem, const Random& random, LatentState start)
    : problem_(problem), random_(random.child("slices")), prior_(problem), state_(std::move(start)) {
  log_density_ = log_density(state_);
}

void EllipticalSliceSampler::advance() {
  prior_.draw(random_.child("prior", iterations_++), other_);
  const double threshold = log_density_ - random_.exponential();
  double angle = random_.threshold(2 * std::numbers::pi), low = angle - 2 * std::numbers::pi, high = angle;
  while (high - low > kLeastBracket) {
    rotate(state_, other_, angle, proposal_);
    const double proposed = log_density(proposal_);
    if (proposed > threshold) {
      std::swap(state_, proposal_);
      log_density_ = proposed;
      return;
    }
    (angle < 0 ? low : high) = angle;
    angle = low + random_.threshold(high - low);
  }
}

double EllipticalSliceSampler::log_density(const LatentState& at) const {
  return parallel_sum(problem_.projected.sequence_count(), kSequencesOfASlice, threads_for(problem_),
                      [&](std::size_t begin, std::size_t end) {
                        double sum = 0;
                        for (std::size_t n = begin; n < end; ++n) sum += log_density(at, n);
                        return sum;
                      });
}

double EllipticalSliceSampler::log_density(const LatentState& at, std::size_t sequence) const {
  const std::size_t labels = problem_.labels(), first = problem_.projected.begin(sequence) * labels;
  const Matrix<const double> unary(at.unary.data() + first, problem_.projected.length(sequence), labels);
  const Matrix<const double> pairwise(at.pairwise.data(), labels, labels);
  return require_finite(problem_.likelihood.log_density(unary, pairwise, problem_.sequences.labels_of(sequence)),
                        sequence);
}

namespace {

constexpr int kIterationsAReport = 50;

/// Draws of a chain, evenly spaced however many there will be: when there are twice as many as wanted, every second one
/// is dropped, and from then on only every second one is added.
class ThinnedDraws {
 public:
  explicit ThinnedDraws(std::size_t wanted) : wanted_(wanted) {}

  void offer(int iteration, const LatentState& state) {
    if ((iteration + 1) % spacing_ != 0) return;
    draws_.push_back({.inducing = state.inducing, .unary = {}, .pairwise = state.pairwise});
    if (draws_.size() < 2 * wanted_) return;
    for (std::size_t d = 0; d < wanted_; ++d) draws_[d] = std::move(draws_[2 * d + 1]);
    draws_.resize(wanted_);
    spacing_ *= 2;
  }

  /// The draws without the first fifth, which is warm-up. At least one draw must have been offered.
  MixturePosterior posterior(const InferenceProblem& problem) const {
    MixturePosterior result;
    const std::size_t first = draws_.size() / 5;
    for (std::size_t d = first; d < draws_.size(); ++d) {
      PairwisePosterior pairwise(problem.labels(), problem.pairwise_variance);
      pairwise.means = draws_[d].pairwise;
      pairwise.deviations.assign(pairwise.means.size(), 0);
      result.push_back({.weight = 1 / static_cast<double>(draws_.size() - first),
                        .unary = UnaryPosterior(draws_[d].inducing),
                        .pairwise = std::move(pairwise)});
    }
    return result;
  }

 private:
  std::size_t wanted_;
  int spacing_ = 1;
  std::vector<LatentState> draws_;
};

}  // namespace

FittedPosterior sample_by_slices(const InferenceProblem& problem, const SliceSamplingOptions& options,
                                 const Random& random, InferenceWatch& watch) {
  EllipticalSliceSampler sampler =
      options.start
          ? EllipticalSliceSampler(problem, random, LatentPrior(problem).draw(*options.start, random.child("start")))
          : EllipticalSliceSampler(problem, random);
  ThinnedDraws draws(options.kept);
  draws.offer(0, sampler.state());
  FitSummary summary;
  while (summary.iterations < options.iterations && !watch.stop_requested()) {
    sampler.advance();
    draws.offer(++summary.iterations, sampler.state());
    if (summary.iterations % kIterationsAReport == 0)
      watch.report({.phase = "sampling",
                    .iteration = summary.iterations,
                    .of = options.iterations,
                    .bound = sampler.log_density()},
                   [&] { return draws.posterior(problem); });
  }
  summary.converged = summary.iterations == options.iterations;
  summary.bound.expected_log_likelihood = sampler.log_density();
  return {.posterior = draws.posterior(problem), .summary = summary};
}

}  // namespace fovea::gp
