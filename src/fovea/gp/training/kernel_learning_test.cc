// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/kernel_learning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/structured_gp.h"
#include "fovea/gp/training/natural_gradient.h"
#include "fovea/gp/training/pathwise_estimator.h"
#include "tests/support/gp_problem.h"
#include "tests/support/gradient_check.h"

namespace fovea::gp {
namespace {

using fovea::testing::GpProblem;
using fovea::testing::gradient_matches;
using fovea::testing::random_gp_sequences;
using fovea::testing::telling_gp_sequences;

class KernelGradientTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kLabels = 2;
  static GpProblem data_with(const Covariance& covariance, const Likelihood& likelihood) {
    return {random_gp_sequences({3, 1, 4}, kLabels, 5), likelihood, {0, 2, 4, 6}, covariance};
  }

  static MixturePosterior posterior_of(const GpProblem& data) {
    const Stop never;
    InferenceWatch watch(never, InferenceWatch::Clock::now(), {});
    return fit_by_natural_gradient(data.problem(), {.draws = 16, .iterations = 3, .minibatch = 0, .tolerance = 0},
                                   Random(1), watch)
        .posterior;
  }

  /// <log p> and its gradient of draws, with another covariance function.
  static double by_draws(const Covariance& covariance, const MixturePosterior& posterior, std::span<double> gradient) {
    const ChainLikelihood chain;
    const GpProblem data = data_with(covariance, chain);
    const InferenceProblem problem = data.problem(2);
    const PathwiseEstimator estimator(problem, 8, Random(3));
    return kernel_gradient(
        problem, data.points, posterior,
        [&](std::size_t n, const SequenceGaussian& q, std::size_t k) { return estimator.estimate(n, q, k); }, gradient);
  }

  ChainLikelihood chain_;
};

/// Draws are a smooth function of q, so these are the derivatives of the value.
TEST_F(KernelGradientTest, PathwiseEstimatesAreDerivativesOfTheirValue) {
  const GpProblem data = data_with(Rbf(), chain_);
  const InferenceProblem problem = data.problem();
  const PathwiseEstimator estimator(problem, 8, Random(3));
  const PairwisePosterior pairwise(kLabels, .5);
  const std::size_t sequence = 2;
  const Index length = 4;
  const auto gaussian_of = [&](const std::vector<double>& x) {  // means, then lower triangles, by column
    SequenceGaussian q = {{}, {}, &pairwise};
    const double* next = x.data();
    for (std::size_t j = 0; j < kLabels; ++j, next += length)
      q.means.emplace_back(Eigen::Map<const Vector>(next, length));
    for (std::size_t j = 0; j < kLabels; ++j) {
      ColumnMatrix& factor = q.factors.emplace_back(ColumnMatrix::Zero(length, length));
      for (Index c = 0; c < length; ++c)
        for (Index r = c; r < length; ++r) factor(r, c) = *next++;
    }
    return q;
  };
  std::vector<double> x(kLabels * (4 + 10)), gradient;
  Random random(4);
  for (double& each : x) each = .5 + .1 * random.normal();
  const SequenceGaussian q = gaussian_of(x);
  const SequenceExpectation found = estimator.estimate(sequence, q, 0);
  for (const Vector& means : found.means) gradient.insert(gradient.end(), means.begin(), means.end());
  for (std::size_t j = 0; j < kLabels; ++j) {
    EXPECT_LT((found.covariances[j] - found.covariances[j].transpose()).norm(), 1e-12);
    const ColumnMatrix by_factor = 2 * found.covariances[j] * q.factors[j];
    for (Index c = 0; c < length; ++c)
      for (Index r = c; r < length; ++r) gradient.push_back(by_factor(r, c));
  }
  EXPECT_TRUE(gradient_matches(
      [&](const std::vector<double>& at) { return estimator.estimate(sequence, gaussian_of(at), 0).value; }, x,
      gradient));
}

/// Rows are projected in single precision: a difference over h = .01 errs by 1e-7 |<log p>| / h = 1e-4 from rounding,
/// and by h^2 = 1e-4 of the third derivative.
TEST_F(KernelGradientTest, IsTheDerivativeOfTheValue) {
  constexpr double kStep = .01;
  const std::vector<Covariance> covariances = {
      Linear{1.3}, Rbf{.variance = 2, .length_scale = 1.5},
      Covariance(Matern{.variance = 1.5, .length_scale = 2}) + Constant{.3},
      Covariance(Linear{.5}) * Polynomial{.variance = .2, .offset = 2},
      of_scaled_columns(Rbf{.variance = 2, .length_scale = 1.5}, {1, .5, 2, 1, 1, .8})};
  for (const Covariance& covariance : covariances) {
    const MixturePosterior posterior = posterior_of(data_with(covariance, chain_));
    const std::vector<double> parameters = covariance.parameters();
    std::vector<double> gradient(parameters.size()), ignored(parameters.size());
    by_draws(covariance, posterior, gradient);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const auto value_at = [&](double log_change) {
        std::vector<double> moved = parameters;
        moved[p] *= std::exp(log_change);
        Covariance changed = covariance;
        changed.set_parameters(moved);
        return by_draws(changed, posterior, ignored);
      };
      EXPECT_NEAR(gradient[p], (value_at(kStep) - value_at(-kStep)) / (2 * kStep), 2e-3) << covariance.text() << p;
    }
  }
}

/// Within five standard errors over 40 sets of draws, of both.
TEST_F(KernelGradientTest, ScoresAndDrawsEstimateTheSame) {
  const GpProblem data = data_with(Rbf{.variance = 2, .length_scale = 1.5}, chain_);
  const InferenceProblem problem = data.problem();
  const MixturePosterior posterior = posterior_of(data);
  constexpr int kSets = 20;
  Vector sum = Vector::Zero(2), squares = sum;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    const PathwiseEstimator by_draws(problem, 64, Random(set));
    const ScoreEstimator by_scores(problem, {.draws = 2000}, Random(1000 + set));
    std::vector<double> drawn(2), scored(2);
    kernel_gradient(
        problem, data.points, posterior,
        [&](std::size_t n, const SequenceGaussian& q, std::size_t k) { return by_draws.estimate(n, q, k); }, drawn);
    kernel_gradient(
        problem, data.points, posterior,
        [&](std::size_t n, const SequenceGaussian& q, std::size_t k) {
          return by_scores.estimate(n, q, k, true, false, 1);
        },
        scored);
    const Vector difference = Eigen::Map<const Vector>(drawn.data(), 2) - Eigen::Map<const Vector>(scored.data(), 2);
    sum += difference;
    squares += difference.cwiseAbs2();
  }
  for (Index p = 0; p < 2; ++p) {
    const double mean = sum[p] / kSets, variance = squares[p] / kSets - mean * mean;
    EXPECT_LT(std::abs(mean), 5 * std::sqrt(variance / kSets)) << p;
  }
}

TEST_F(KernelGradientTest, AscentRaisesTheExpectedLikelihood) {
  const Covariance covariance = Rbf{.variance = 20, .length_scale = .3};
  const GpProblem data = data_with(covariance, chain_);
  const InferenceProblem problem = data.problem();
  const MixturePosterior posterior = posterior_of(data);
  const PathwiseEstimator estimator(problem, 8, Random(3));
  const InducingPoints better = ascend_kernel(
      problem, data.points,
      [&](const InferenceProblem& moved, const InducingPoints& points, std::span<double> gradient) {
        return kernel_gradient(
            moved, points, posterior,
            [&](std::size_t n, const SequenceGaussian& q, std::size_t k) { return estimator.estimate(n, q, k); },
            gradient);
      },
      10);
  std::vector<double> before(2), after(2);
  EXPECT_GT(by_draws(better.covariance(), posterior, after), by_draws(covariance, posterior, before) + .01);
  EXPECT_LT(std::hypot(after[0], after[1]), .5 * std::hypot(before[0], before[1]));
}

/// From far away, to a bound that no kernel of a fine grid beats by half a nat.
TEST(LearnedKernelTest, HasTheHighestBound) {
  const Sequences train = telling_gp_sequences(60, 1);
  const auto bound_at = [&](double variance, bool learn) {
    StructuredGp gp({.kernel = Linear{variance},
                     .inducing_points = 4,
                     .tolerance = 1e-6,
                     .learn_kernel = learn,
                     .means = GpMeans::kInducingPoints});
    return gp.fit(train).bound.total();
  };
  double best = -std::numeric_limits<double>::infinity();
  for (double variance = .125; variance < 200; variance *= std::sqrt(2.0))
    best = std::max(best, bound_at(variance, false));
  EXPECT_GT(best, bound_at(.125, false) + 5);
  for (const double start : {.125, 100.0}) EXPECT_GT(bound_at(start, true), best - .5) << start;
}

TEST(LearnedKernelTest, IsTheBestSoFarWhenStopped) {
  for (const std::size_t looks : {1u, 2u, 4u}) {
    CancelToken cancel;
    std::vector<double> bounds;
    StructuredGp gp(
        {.kernel = Linear{.125}, .inducing_points = 4, .learn_kernel = true, .means = GpMeans::kInducingPoints});
    const FitSummary summary =
        gp.fit(telling_gp_sequences(60, 1), Stop{.cancel = &cancel}, [&](const Progress& progress) {
          if (progress.phase == "kernel") bounds.push_back(progress.value);
          if (bounds.size() == looks) cancel.cancel();
        });
    EXPECT_EQ(bounds.size(), looks);
    EXPECT_EQ(summary.bound.total(), *std::max_element(bounds.begin(), bounds.end()));
    StructuredGp with_that(
        {.kernel = covariance_of_text(summary.kernel), .inducing_points = 4, .means = GpMeans::kInducingPoints});
    EXPECT_NEAR(with_that.fit(telling_gp_sequences(60, 1)).bound.total(), summary.bound.total(), 1e-6);
  }
}

/// A likelihood with values only.
struct ValuesOnly {
  double operator()(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const {
    return ChainLikelihood().log_density(unary, pairwise, labels);
  }
};

TEST(LearnedKernelTest, WorksFromValuesAlone) {
  const Sequences train = telling_gp_sequences(20, 1);
  const auto fitted = [&](bool learn) {
    StructuredGp gp({.kernel = Linear{.1},
                     .inducing_points = 4,
                     .inference = GpInference::kScoreFunction,
                     .draws = 200,
                     .iterations = 2,
                     .learn_kernel = learn});
    return gp.fit(train, ValuesOnly{});
  };
  const FitSummary fixed = fitted(false), learned = fitted(true);
  EXPECT_GT(learned.bound.total(), fixed.bound.total() + 1);
  EXPECT_EQ(fixed.kernel, "linear(0.1)");
  EXPECT_NE(learned.kernel, fixed.kernel);
}

}  // namespace
}  // namespace fovea::gp
