// SPDX-License-Identifier: Apache-2.0
// Gradients from values alone against those in closed form, and against those
// of derivatives.
#include "fovea/gp/training/score_estimator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/likelihood/density_likelihood.h"
#include "tests/support/expect_error.h"
#include "tests/support/gp_problem.h"
#include "tests/support/statistics.h"

namespace fovea::gp {
namespace {

using fovea::testing::GpProblem;
using fovea::testing::random_gp_sequences;
using fovea::testing::sample_has_mean;

constexpr std::size_t kScoredItems = 3, kScoredLabels = 2, kPairs = kScoredLabels * kScoredLabels;

/// log p = constant - sum_j (f_j - c_j)^T Q (f_j - c_j) / 2 - |pairwise - .4|^2
/// / 2, where Q couples neighbours.
class QuadraticLikelihood : public Likelihood {
 public:
  explicit QuadraticLikelihood(double constant = 0) : constant_(constant) {}

  static double centre(std::size_t t, std::size_t j) { return .5 * static_cast<double>(t) - static_cast<double>(j); }
  static ColumnMatrix couplings() {
    ColumnMatrix q = ColumnMatrix::Identity(index(kScoredItems), index(kScoredItems));
    for (Index t = 0; t + 1 < q.rows(); ++t) q(t, t + 1) = q(t + 1, t) = .5;
    return q;
  }
  static constexpr double kPairCentre = .4;

  double log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels) const override {
    double sum = constant_;
    for (std::size_t j = 0; j < unary.columns(); ++j)
      for (std::size_t t = 0; t < unary.rows(); ++t)
        for (std::size_t u = 0; u < unary.rows(); ++u)
          sum -= .5 * couplings_(index(t), index(u)) * (unary(t, j) - centre(t, j)) * (unary(u, j) - centre(u, j));
    for (const double score : pairwise.all()) sum -= .5 * (score - kPairCentre) * (score - kPairCentre);
    return sum;
  }

 private:
  double constant_;
  ColumnMatrix couplings_ = couplings();
};

/// All of an estimate in one vector: value, means, lower triangles of
/// covariances, pairwise means and log deviations.
std::vector<double> flattened(const SequenceExpectation& expectation) {
  std::vector<double> all = {expectation.value};
  for (std::size_t j = 0; j < expectation.means.size(); ++j) {
    all.insert(all.end(), expectation.means[j].begin(), expectation.means[j].end());
    for (Index c = 0; c < expectation.covariances[j].cols(); ++c)
      for (Index r = c; r < expectation.covariances[j].rows(); ++r) all.push_back(expectation.covariances[j](r, c));
  }
  all.insert(all.end(), expectation.pairwise_means.begin(), expectation.pairwise_means.end());
  all.insert(all.end(), expectation.pairwise_log_deviations.begin(), expectation.pairwise_log_deviations.end());
  return all;
}

class ScoreEstimatorTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kRepetitions = 100, kDraws = 400;

  ScoreEstimatorTest() {
    Random random(2);
    for (std::size_t j = 0; j < kScoredLabels; ++j) {
      Vector mean(index(kScoredItems));
      for (double& each : mean) each = random.normal();
      ColumnMatrix factor = ColumnMatrix::Zero(index(kScoredItems), index(kScoredItems));
      for (Index c = 0; c < factor.cols(); ++c)
        for (Index r = c; r < factor.rows(); ++r) factor(r, c) = r == c ? .5 + random.exponential() : random.normal();
      q_.means.push_back(mean);
      q_.factors.push_back(factor);
    }
    for (double& mean : pairwise_.means) mean = random.normal();
    for (double& deviation : pairwise_.deviations) deviation = .5 + random.exponential();
    q_.pairwise = &pairwise_;
  }

  /// [coordinate][repetition], each with other draws.
  static std::vector<std::vector<double>> repeated(const GpProblem& data, const SequenceGaussian& q,
                                                   ScoreEstimatorOptions options) {
    const InferenceProblem problem = data.problem();
    const ScoreEstimator estimator(problem, options, Random(5));
    std::vector<std::vector<double>> samples;
    for (std::size_t r = 0; r < kRepetitions; ++r) {
      const std::vector<double> all = flattened(estimator.estimate(1, q, r, true, true, 1));
      samples.resize(all.size());
      for (std::size_t i = 0; i < all.size(); ++i) samples[i].push_back(all[i]);
    }
    return samples;
  }

  static double total_variance(const std::vector<std::vector<double>>& samples) {
    double total = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) {  // without the value
      double sum = 0, squares = 0;
      for (const double x : samples[i]) {
        sum += x;
        squares += x * x;
      }
      total += squares / kRepetitions - sum / kRepetitions * sum / kRepetitions;
    }
    return total;
  }

  /// Of the quadratic likelihood, in closed form.
  std::vector<double> exact(double constant) const {
    SequenceExpectation result;
    const ColumnMatrix couplings = QuadraticLikelihood::couplings();
    result.value = constant;
    for (std::size_t j = 0; j < kScoredLabels; ++j) {
      Vector away = q_.means[j];
      for (Index t = 0; t < away.size(); ++t) away[t] -= QuadraticLikelihood::centre(size(t), j);
      const ColumnMatrix covariance = q_.factors[j] * q_.factors[j].transpose();
      result.value -= .5 * (away.dot(couplings * away) + couplings.cwiseProduct(covariance).sum());
      result.means.push_back(-couplings * away);
      result.covariances.push_back(-.5 * couplings);
    }
    for (std::size_t e = 0; e < kPairs; ++e) {
      const double away = pairwise_.means[e] - QuadraticLikelihood::kPairCentre, deviation = pairwise_.deviations[e];
      result.value -= .5 * (away * away + deviation * deviation);
      result.pairwise_means.push_back(-away);
      result.pairwise_log_deviations.push_back(-deviation * deviation);
    }
    return flattened(result);
  }

  /// Draws come from a pool: of as many as it holds, two that are independent
  /// would be 2 / pool apart in variance.
  static constexpr double kPool = 1 << 21;
  const double pooled_ = std::sqrt(1 + kRepetitions * kDraws * kScoredItems / kPool);
  Sequences sequences_ = random_gp_sequences({2, kScoredItems}, kScoredLabels, 1);
  PairwisePosterior pairwise_{kScoredLabels, 1};
  SequenceGaussian q_;
};

TEST_F(ScoreEstimatorTest, IsUnbiasedWithAndWithoutControlVariates) {
  const QuadraticLikelihood likelihood;
  const GpProblem data(sequences_, likelihood, {0, 1});
  const std::vector<double> expected = exact(0);
  for (const bool control_variates : {false, true}) {
    const auto samples = repeated(data, q_, {.draws = kDraws, .control_variates = control_variates});
    ASSERT_EQ(samples.size(), expected.size());
    const double rate = fovea::testing::kFalseFailureRate / static_cast<double>(2 * samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i)
      EXPECT_TRUE(sample_has_mean(samples[i], expected[i], rate, pooled_)) << i << control_variates;
  }
}

/// A constant in log p carries no information, but without control variates each of its nats is noise.
TEST_F(ScoreEstimatorTest, ControlVariatesTakeAConstantOut) {
  const QuadraticLikelihood far(-1000);
  const GpProblem data(sequences_, far, {0, 1});
  for (const std::size_t draws : {std::size_t{60}, kDraws}) {  // a few must do
    const double with = total_variance(repeated(data, q_, {.draws = draws, .control_variates = true})),
                 without = total_variance(repeated(data, q_, {.draws = draws, .control_variates = false}));
    EXPECT_GT(without, 1000 * with) << draws;
  }
}

/// Derivatives by those of the chain, averaged over draws of its own.
TEST_F(ScoreEstimatorTest, AgreesWithTheDerivativesOfARealLikelihood) {
  constexpr std::size_t kDerivativeDraws = 4000;
  const ChainLikelihood chain;
  const GpProblem data(sequences_, chain, {0, 1});
  const auto scores = repeated(data, q_, {.draws = kDraws});
  std::vector<std::vector<double>> slopes(scores.size());
  Random random(7);
  std::vector<double> unary_slopes(kScoredItems * kScoredLabels), pair_slopes(kPairs), curvatures(unary_slopes.size());
  for (std::size_t s = 0; s < kDerivativeDraws; ++s) {
    RowMatrix unary(index(kScoredItems), index(kScoredLabels));
    std::vector<double> pairwise(kPairs);
    for (std::size_t j = 0; j < kScoredLabels; ++j) {
      Vector z(index(kScoredItems));
      for (double& each : z) each = random.normal();
      unary.col(index(j)) = q_.means[j] + q_.factors[j] * z;
    }
    for (std::size_t e = 0; e < kPairs; ++e)
      pairwise[e] = pairwise_.means[e] + pairwise_.deviations[e] * random.normal();
    SequenceExpectation each;
    each.value = chain.gradients(view(unary), {pairwise.data(), kScoredLabels, kScoredLabels}, sequences_.labels_of(1),
                                 {.unary = {unary_slopes.data(), kScoredItems, kScoredLabels},
                                  .pairwise = {pair_slopes.data(), kScoredLabels, kScoredLabels},
                                  .curvature = {curvatures.data(), kScoredItems, kScoredLabels}});
    const Eigen::Map<const RowMatrix> f_slopes(unary_slopes.data(), unary.rows(), unary.cols()),
        f_curvatures(curvatures.data(), unary.rows(), unary.cols());
    for (Index j = 0; j < unary.cols(); ++j) {
      each.means.push_back(f_slopes.col(j));
      each.covariances.push_back((-.5 * f_curvatures.col(j)).asDiagonal());  // those off the diagonal are not known
    }
    each.pairwise_means = pair_slopes;
    for (std::size_t e = 0; e < kPairs; ++e)
      each.pairwise_log_deviations.push_back(pair_slopes[e] * (pairwise[e] - pairwise_.means[e]));
    const std::vector<double> all = flattened(each);
    for (std::size_t i = 0; i < all.size(); ++i) slopes[i].push_back(all[i]);
  }
  const double rate = fovea::testing::kFalseFailureRate / static_cast<double>(slopes.size());
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const bool off_diagonal = std::all_of(slopes[i].begin(), slopes[i].end(), [](double x) { return x == 0; });
    if (off_diagonal) continue;
    EXPECT_TRUE(fovea::testing::samples_have_one_mean(scores[i], slopes[i], rate, pooled_)) << i;
  }
}

TEST_F(ScoreEstimatorTest, TheSameNoiseGivesTheSameAnswerOnAnyThreads) {
  const ChainLikelihood chain;
  const GpProblem data(sequences_, chain, {0, 1});
  const InferenceProblem problem = data.problem();
  const ScoreEstimator estimator(problem, {.draws = 10000}, Random(5)), same(problem, {.draws = 10000}, Random(5)),
      other(problem, {.draws = 10000}, Random(6));
  const auto answer = [&](const ScoreEstimator& by, std::uint64_t noise, int threads) {
    return flattened(by.estimate(1, q_, noise, true, true, threads));
  };
  const std::vector<double> once = answer(estimator, 3, 1);
  EXPECT_EQ(answer(estimator, 3, 1), once);
  EXPECT_EQ(answer(estimator, 3, 4), once);
  EXPECT_EQ(answer(same, 3, 2), once);
  EXPECT_NE(answer(estimator, 4, 1), once);
  EXPECT_NE(answer(other, 3, 1), once);
}

TEST_F(ScoreEstimatorTest, EstimatesNoMoreThanIsWanted) {
  const ChainLikelihood chain;
  const GpProblem data(sequences_, chain, {0, 1});
  const InferenceProblem problem = data.problem();
  const ScoreEstimator estimator(problem, {.draws = 100}, Random(5));
  const SequenceExpectation all = estimator.estimate(1, q_, 0, true, true, 1),
                            unary = estimator.estimate(1, q_, 0, true, false, 1),
                            pairwise = estimator.estimate(1, q_, 0, false, true, 1);
  EXPECT_EQ(unary.value, all.value);
  EXPECT_EQ(unary.means, all.means);
  EXPECT_EQ(unary.covariances, all.covariances);
  EXPECT_TRUE(unary.pairwise_means.empty() && unary.pairwise_log_deviations.empty());
  EXPECT_EQ(pairwise.value, all.value);
  EXPECT_TRUE(pairwise.means.empty() && pairwise.covariances.empty());
  EXPECT_EQ(pairwise.pairwise_means, all.pairwise_means);
  EXPECT_EQ(pairwise.pairwise_log_deviations, all.pairwise_log_deviations);
}

/// More pairs of labels than fit into a small pool of normals.
TEST_F(ScoreEstimatorTest, ManyLabelsAreNoTrouble) {
  constexpr std::size_t kMany = 110;
  const ChainLikelihood chain;
  const GpProblem data(random_gp_sequences({1}, kMany, 3), chain, {0});
  const InferenceProblem problem = data.problem();
  const PairwisePosterior pairwise(kMany, 1);
  const SequenceGaussian q = {std::vector<Vector>(kMany, Vector::Zero(1)),
                              std::vector<ColumnMatrix>(kMany, ColumnMatrix::Ones(1, 1)), &pairwise};
  const ScoreEstimator estimator(problem, {.draws = 2000}, Random(5));
  const SequenceExpectation expectation = estimator.estimate(0, q, 0, true, true, 1);
  EXPECT_TRUE(std::isfinite(expectation.value));
  EXPECT_EQ(expectation.pairwise_means.size(), kMany * kMany);
}

/// A likelihood that is NaN for scores above 0.
struct NoNumberAboveZero {
  double operator()(Matrix<const double> unary, Matrix<const double>, Labels) const {
    return unary(0, 0) > 0 ? std::numeric_limits<double>::quiet_NaN() : -1;
  }
};

TEST_F(ScoreEstimatorTest, NamesTheSequenceWhoseLikelihoodIsNotANumber) {
  const DensityLikelihood likelihood{NoNumberAboveZero()};
  const GpProblem data(sequences_, likelihood, {0, 1});
  const InferenceProblem problem = data.problem();
  const ScoreEstimator estimator(problem, {.draws = 100}, Random(5));
  for (const double mean : {-1.0, 1.0}) {  // among the draws, and at the means
    q_.means[0][0] = mean;
    EXPECT_THAT(fovea::testing::message_of<InputError>([&] { estimator.estimate(1, q_, 0, true, true, 1); }),
                ::testing::HasSubstr("the log likelihood of sequence 2 is nan"));
  }
}

}  // namespace
}  // namespace fovea::gp
