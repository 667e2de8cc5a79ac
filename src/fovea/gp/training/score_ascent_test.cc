// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/score_ascent.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>

#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/training/batch_ascent.h"
#include "fovea/gp/training/natural_gradient.h"
#include "fovea/gp/training/saga_ascent.h"
#include "tests/support/gp_problem.h"
#include "tests/support/gradient_check.h"

namespace fovea::gp {
namespace {

using fovea::testing::GpProblem;
using fovea::testing::telling_gp_sequences;

class ScoreAscentTest : public ::testing::Test {
 protected:
  FittedPosterior fitted(ScoreAscentOptions options, const InferenceListener& listener = {},
                         const Stop& stop = {}) const {
    InferenceWatch watch(stop, InferenceWatch::Clock::now(), listener);
    return fit_by_scores(data_.problem(), options, Random(1), watch);
  }

  /// Share of the bound's way, from the prior to the optimum of natural gradients, that a fit covered.
  double share_of_the_way(const FitSummary& summary) const {
    static const double prior = of_the_prior(), best = by_natural_gradients();
    return (summary.bound.total() - prior) / (best - prior);
  }

  double of_the_prior() const {
    const InferenceProblem problem = data_.problem();
    const ScoreEstimator estimator(problem, {.draws = 1000}, Random(2));
    const VariationalMixture prior(1, problem.labels(), problem.points(), false, problem.pairwise_variance, Random(1));
    MixtureGradient ignored(prior);
    return unary_bound(problem, estimator, prior, ignored);
  }
  double by_natural_gradients() const {
    const Stop never;
    InferenceWatch watch(never, InferenceWatch::Clock::now(), {});
    return fit_by_natural_gradient(data_.problem(), {.draws = 256, .iterations = 60, .minibatch = 0, .tolerance = 1e-5},
                                   Random(1), watch)
        .summary.bound.total();
  }

  ChainLikelihood chain_;
  GpProblem data_{telling_gp_sequences(20, 1), chain_, {0, 1, 2, 3, 4, 5}, Linear()};
};

TEST_F(ScoreAscentTest, BatchGetsWhereNaturalGradientsGet) {
  EXPECT_GT(share_of_the_way(fitted({.draws = 400, .rounds = 2}).summary), .97);
  EXPECT_GT(share_of_the_way(fitted({.draws = 400, .rounds = 2, .diagonal = true}).summary), .97);
}

/// Two components that coincide lose up to half the dimensions times 1 - log 2 by Jensen's inequality: here 1.2 of 30
/// nats.
TEST_F(ScoreAscentTest, TwoComponentsGetNearlyAsFar) {
  for (const bool diagonal : {false, true}) {
    const FittedPosterior two = fitted({.draws = 300, .rounds = 2, .components = 2, .diagonal = diagonal});
    EXPECT_GT(share_of_the_way(two.summary), .9);
    ASSERT_EQ(two.posterior.size(), 2u);
    EXPECT_NEAR(two.posterior[0].weight + two.posterior[1].weight, 1, 1e-12);
  }
}

/// At the rates of the paper: one round of 3,000 and 1,000 steps.
TEST_F(ScoreAscentTest, SagaGoesHalfOfTheWayInItsFirstRound) {
  EXPECT_GT(share_of_the_way(fitted({.batch = false, .draws = 40, .rounds = 1}).summary), .5);
  EXPECT_GT(share_of_the_way(fitted({.batch = false, .draws = 40, .rounds = 1, .diagonal = true}).summary), .5);
  // Each of two components goes half as fast, for its weight is half.
  EXPECT_GT(share_of_the_way(fitted({.batch = false, .draws = 40, .rounds = 1, .components = 2}).summary), .35);
}

TEST_F(ScoreAscentTest, EveryRoundOfTheBatchRaisesTheBound) {
  std::vector<double> bounds;
  const FittedPosterior result =
      fitted({.draws = 100, .rounds = 2},
             [&](const InferenceStep& step, double, const auto&) { bounds.push_back(step.bound); });
  ASSERT_GT(bounds.size(), 10u);
  for (std::size_t i = 1; i < bounds.size(); ++i) EXPECT_GE(bounds[i], bounds[i - 1] - 1e-9) << i;
  EXPECT_NEAR(result.summary.bound.total(), bounds.back(), 1e-9);
}

TEST_F(ScoreAscentTest, BatchEndsWhereNothingIsGained) {
  const FitSummary summary = fitted({.draws = 100, .rounds = 100}).summary;
  EXPECT_TRUE(summary.converged);
  EXPECT_LT(summary.iterations, 100);
}

/// Gradient of each component: the weighted sum over sequences of the estimates, and the divergence.
TEST_F(ScoreAscentTest, BoundOfAMixtureIsPutTogetherFromItsSequences) {
  for (const bool diagonal : {false, true}) {
    const InferenceProblem problem = data_.problem(2);
    const ScoreEstimator estimator(problem, {.draws = 100}, Random(2));
    VariationalMixture q(2, 2, problem.points(), diagonal, 1.5, Random(3));
    std::vector<double> x = q.packed();
    Random random(4);
    for (double& each : x) each += .3 * random.normal();
    q.unpack(x);
    MixtureGradient found(q), expected(q);
    const double value = unary_bound(problem, estimator, q, found);
    double sum = add_negative_divergence(q, expected) - q.pairwise.divergence();
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t n = 0; n < problem.projected.sequence_count(); ++n) {
        const ProjectedComponent projected(problem, q.components[k], n, n + 1);
        const SequenceExpectation each = estimator.estimate(n, projected.at(n, q.pairwise), k, true, false, 1);
        projected.add_gradient(std::span(&each, 1), q.weights[k], expected.components[k]);
        expected.weights[k] += each.value;
        sum += q.weights[k] * each.value;
      }
    EXPECT_NEAR(value, sum, 1e-6);
    std::vector<double> found_slopes(x.size()), expected_slopes(x.size());
    found.pack(q, found_slopes);
    expected.pack(q, expected_slopes);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(found_slopes[i], expected_slopes[i], 1e-4 * std::max(1.0, std::abs(expected_slopes[i])));
    // With the same draws the bound is a function whose slopes along the weights are exact.
    const auto at_weights = [&](const std::vector<double>& logits) {
      std::copy(logits.begin(), logits.end(), x.begin());
      q.unpack(x);
      MixtureGradient ignored(q);
      return unary_bound(problem, estimator, q, ignored);
    };
    EXPECT_TRUE(fovea::testing::gradient_matches(at_weights, {x[0], x[1]}, std::span(found_slopes).first(2), 1e-6));
  }
}

TEST_F(ScoreAscentTest, AStopBeforeAnythingMovesIsNoConvergence) {
  for (const bool batch : {true, false}) {
    CancelToken cancel;
    const FittedPosterior result = fitted(
        {.batch = batch, .draws = 20, .rounds = 5}, [&](const auto&...) { cancel.cancel(); }, Stop{.cancel = &cancel});
    EXPECT_EQ(result.summary.iterations, 1);
    EXPECT_FALSE(result.summary.converged);
  }
}

/// Steps of SAGA, with gradients of all sequences stored as they were estimated and summed up afresh.
class PlainSaga {
 public:
  static constexpr double kMeanRate = 1e-4, kCovarianceRate = 1e-5;

  PlainSaga(const InferenceProblem& problem, const ScoreEstimator& estimator, VariationalMixture start, Random random)
      : problem_(problem), estimator_(estimator), mixture_(std::move(start)), random_(random) {
    stored_.resize(count());
    for (std::size_t n = 0; n < count(); ++n)
      for (std::size_t k = 0; k < mixture_.components.size(); ++k) stored_[n].push_back(estimate(n, k));
  }

  void step_unary() {
    const std::size_t n = random_.uniform_index(static_cast<std::uint32_t>(count()));
    MixtureGradient gradient(mixture_);
    add_negative_divergence(mixture_, gradient);
    for (std::size_t k = 0; k < mixture_.components.size(); ++k) {
      const SequenceExpectation fresh = estimate(n, k);
      for (std::size_t m = 0; m < count(); ++m) add(m, k, stored_[m][k], 1, gradient);
      add(n, k, fresh, static_cast<double>(count()), gradient);
      add(n, k, stored_[n][k], -static_cast<double>(count()), gradient);
      stored_[n][k] = fresh;
      for (std::size_t m = 0; m < count(); ++m) gradient.weights[k] += stored_[m][k].value;
    }
    std::vector<double> x = mixture_.packed(), slopes(x.size());
    gradient.pack(mixture_, slopes);
    std::size_t i = 0;
    const auto move = [&](Index coordinates, double rate) {
      for (Index c = 0; c < coordinates; ++c, ++i) x[i] += rate * slopes[i];
    };
    if (mixture_.weights.size() > 1) move(index(mixture_.weights.size()), kMeanRate);
    for (const UnaryGaussian& component : mixture_.components) {
      move(component.means.size(), kMeanRate);
      move(component.deviations.size(), kCovarianceRate);
      for (const ColumnMatrix& factor : component.factors)
        move(factor.rows() * (factor.rows() + 1) / 2, kCovarianceRate);
    }
    mixture_.unpack(x);
  }

  const VariationalMixture& mixture() const { return mixture_; }

 private:
  std::size_t count() const { return problem_.projected.sequence_count(); }
  SequenceExpectation estimate(std::size_t n, std::size_t k) {
    const ProjectedComponent projected(problem_, mixture_.components[k], n, n + 1);
    return estimator_.estimate(n, projected.at(n, mixture_.pairwise), ++looks_, true, stored_[n].size() <= k, 1);
  }
  void add(std::size_t n, std::size_t k, const SequenceExpectation& expectation, double times,
           MixtureGradient& gradient) const {
    ProjectedComponent(problem_, mixture_.components[k], n, n + 1)
        .add_gradient(std::span(&expectation, 1), times * mixture_.weights[k], gradient.components[k]);
  }

  const InferenceProblem& problem_;
  const ScoreEstimator& estimator_;
  VariationalMixture mixture_;
  Random random_;
  std::uint64_t looks_ = 0;
  std::vector<std::vector<SequenceExpectation>> stored_;  // [sequence][component]
};

TEST(SagaAscentTest, StepsAreThoseOfPlainSaga) {
  const ChainLikelihood chain;
  const GpProblem data(fovea::testing::random_gp_sequences({2, 4, 3}, 2, 7), chain, {0, 3, 7});
  const InferenceProblem problem = data.problem();
  const ScoreEstimator estimator(problem, {.draws = 40}, Random(2));
  for (const std::size_t components : {1u, 2u})
    for (const bool diagonal : {false, true}) {
      const VariationalMixture start(components, 2, 3, diagonal, 1.5, Random(3));
      SagaAscent ascent(problem, estimator, start, Random(4), Stop{});
      PlainSaga plain(problem, estimator, start, Random(4));
      ascent.move_unary([] { return false; });  // after a hundred steps
      for (int step = 0; step < 100; ++step) plain.step_unary();
      const std::vector<double> x = ascent.mixture().packed(), expected = plain.mixture().packed(),
                                first = start.packed();
      double moved = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        moved = std::max(moved, std::abs(expected[i] - first[i]));
        EXPECT_NEAR(x[i], expected[i], 1e-6) << i << diagonal;  // single precision
      }
      EXPECT_GT(moved, .005);
    }
}

/// One sequence: its gradient is the estimate just made.
TEST(SagaAscentTest, PairwiseStepsOfOneSequenceAreGradientSteps) {
  const ChainLikelihood chain;
  const GpProblem data(fovea::testing::random_gp_sequences({6}, 2, 7), chain, {0, 3});
  const InferenceProblem problem = data.problem();
  const ScoreEstimator estimator(problem, {.draws = 40}, Random(2));
  const VariationalMixture start(1, 2, 2, false, problem.pairwise_variance, Random(3));
  SagaAscent ascent(problem, estimator, start, Random(4), Stop{});
  ascent.move_pairwise([] { return false; });  // after a hundred steps
  PairwisePosterior q = start.pairwise;
  const ProjectedComponent projected(problem, start.components[0], 0, 1);
  for (std::uint64_t step = 0; step < 100; ++step) {
    const SequenceExpectation slopes = estimator.estimate(0, projected.at(0, q), step + 2, false, true, 1);
    for (std::size_t e = 0; e < q.means.size(); ++e) {
      const double variance = q.deviations[e] * q.deviations[e];
      q.means[e] += 1e-4 * (slopes.pairwise_means[e] - q.means[e] / q.prior_variance);
      q.deviations[e] *= std::exp(1e-5 * (slopes.pairwise_log_deviations[e] - variance / q.prior_variance + 1));
    }
  }
  for (std::size_t e = 0; e < q.means.size(); ++e) {
    EXPECT_NEAR(ascent.mixture().pairwise.means[e], q.means[e], 1e-9);
    EXPECT_NEAR(ascent.mixture().pairwise.deviations[e], q.deviations[e], 1e-9);
  }
  EXPECT_GT(std::abs(q.means[0]), 1e-4);
}

/// Counts its calls, and cancels after this many.
class CancellingChain : public ChainLikelihood {
 public:
  double log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const override {
    if (++calls_ == cancel_at) cancel.cancel();
    return ChainLikelihood::log_density(unary, pairwise, labels);
  }
  long calls_after() const { return calls_ - cancel_at; }

  long cancel_at = 0;
  mutable CancelToken cancel;

 private:
  mutable std::atomic<long> calls_ = 0;
};

/// Half of the sequences are visited before time is up: the others count as these do.
TEST(SagaAscentTest, EndsWithinItsFirstPass) {
  const auto expected_by = [](std::size_t sequences, const Likelihood& likelihood, const Stop& stop) {
    const GpProblem data(fovea::testing::random_gp_sequences(std::vector<std::uint32_t>(sequences, 3), 2, 7),
                         likelihood, {0, 3});
    const InferenceProblem problem = data.problem();
    const VariationalMixture start(1, 2, 2, false, problem.pairwise_variance, Random(3));
    const ScoreEstimator estimator(problem, {.draws = 1000}, Random(2));
    return SagaAscent(problem, estimator, start, Random(4), stop).bound().expected_log_likelihood;
  };
  CancellingChain cancelling;
  cancelling.cancel_at = 4 * 1000;
  const double half = expected_by(8, cancelling, Stop{.cancel = &cancelling.cancel});
  EXPECT_LT(cancelling.calls_after(), 1000);
  EXPECT_NEAR(half, 2 * expected_by(4, ChainLikelihood(), Stop{}), 1e-9);
}

/// With enough inducing points to make several threads worthwhile.
TEST(SagaAscentTest, DoesNotDependOnThreads) {
  const ChainLikelihood chain;
  std::vector<std::uint32_t> rows(80);
  std::iota(rows.begin(), rows.end(), 0);
  const GpProblem data(fovea::testing::random_gp_sequences(std::vector<std::uint32_t>(7, 13), 2, 7), chain, rows);
  const auto run = [&](int threads) {
    const InferenceProblem problem = data.problem(threads);
    const ScoreEstimator estimator(problem, {.draws = 1200}, Random(2));
    SagaAscent ascent(problem, estimator, {1, 2, problem.points(), false, 1, Random(3)}, Random(4), Stop{});
    ascent.move_unary([] { return false; });  // after a hundred steps
    return std::pair(ascent.mixture().packed(), ascent.bound().total());
  };
  EXPECT_EQ(run(1), run(3));
}

TEST_F(ScoreAscentTest, StopsPromptlyWithTheBestSoFar) {
  constexpr std::size_t kDraws = 100;
  const long pass = static_cast<long>((kDraws + 1) * data_.projected.sequence_count());  // over all sequences
  for (const bool batch : {true, false}) {
    CancellingChain chain;
    chain.cancel_at = 10 * pass + pass / 2;
    const GpProblem data(data_.sequences, chain, {0, 1, 2, 3, 4, 5}, Linear());
    const Stop stop{.cancel = &chain.cancel};
    std::vector<double> bounds;
    InferenceWatch watch(stop, InferenceWatch::Clock::now(),
                         [&](const InferenceStep& step, double, const auto&) { bounds.push_back(step.bound); });
    const FittedPosterior result =
        fit_by_scores(data.problem(), {.batch = batch, .draws = kDraws, .rounds = 5}, Random(1), watch);
    // The batch ends its line search, of at most six trials; saga asks every hundred steps.
    EXPECT_LE(chain.calls_after(), batch ? 6 * pass : 100 * static_cast<long>(kDraws + 1));
    EXPECT_FALSE(result.summary.converged);
    EXPECT_EQ(result.summary.iterations, 1);
    EXPECT_NEAR(result.summary.bound.total(), bounds.back(), 1e-9);
    EXPECT_EQ(bounds.back(), *std::max_element(bounds.begin(), bounds.end()));
    EXPECT_GT(result.posterior[0].unary.means().norm(), .01);
  }
}

TEST_F(ScoreAscentTest, AStopBeforeItBeginsLeavesThePrior) {
  CancelToken cancel;
  cancel.cancel();
  for (const bool batch : {true, false}) {
    const FittedPosterior result = fitted({.batch = batch, .draws = 20}, {}, Stop{.cancel = &cancel});
    EXPECT_EQ(result.summary.iterations, 0);
    EXPECT_FALSE(result.summary.converged);
    EXPECT_EQ(result.posterior[0].unary.means().norm(), 0);
  }
}

}  // namespace
}  // namespace fovea::gp
