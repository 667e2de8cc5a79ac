// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/logistic_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fovea/base/random.h"
#include "fovea/ep/operators/logistic.h"

namespace fovea::ep {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

LogisticData made_up(std::size_t rows, const std::vector<double>& weights, std::uint64_t seed) {
  Random random(seed);
  LogisticData data = {.columns = weights.size(), .values = {}, .labels = {}};
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (const double weight : weights) {
      data.values.push_back(random.normal());
      sum += weight * data.values.back();
    }
    data.labels.push_back(random.bernoulli(sigmoid(sum)));
  }
  return data;
}

struct ExactPosterior {
  double mean[2] = {}, variance[2] = {}, log_evidence = 0;
};

/// Two weights, by the trapezoid rule on a grid.
ExactPosterior integrated(const LogisticData& data, double prior_variance) {
  constexpr double kStep = .02, kEnd = 8;
  double mass = 0;
  ExactPosterior exact;
  for (double a = -kEnd; a <= kEnd; a += kStep)
    for (double b = -kEnd; b <= kEnd; b += kStep) {
      double log_p = -.5 * (a * a + b * b) / prior_variance - std::log(2 * M_PI * prior_variance);
      for (std::size_t i = 0; i < data.rows(); ++i) {
        const double x = a * data.row(i)[0] + b * data.row(i)[1];
        log_p -= std::log1p(std::exp(data.labels[i] ? -x : x));
      }
      const double p = std::exp(log_p) * kStep * kStep;
      mass += p;
      exact.mean[0] += p * a;
      exact.mean[1] += p * b;
      exact.variance[0] += p * a * a;
      exact.variance[1] += p * b * b;
    }
  for (int k = 0; k < 2; ++k) {
    exact.mean[k] /= mass;
    exact.variance[k] = exact.variance[k] / mass - exact.mean[k] * exact.mean[k];
  }
  exact.log_evidence = std::log(mass);
  return exact;
}

// One row is exact: the tilted distribution is the posterior.
TEST(LogisticRegression, OneRowIsExact) {
  const LogisticData data = {.columns = 2, .values = {1.5, -.5}, .labels = {true}};
  const LogisticRegressionFit fit = fit_logistic(data, {.prior_variance = 2});
  const ExactPosterior exact = integrated(data, 2);
  EXPECT_TRUE(fit.has_converged);
  EXPECT_NEAR(fit.posterior.mean()[0], exact.mean[0], 1e-5);
  EXPECT_NEAR(fit.posterior.mean()[1], exact.mean[1], 1e-5);
  EXPECT_NEAR(fit.posterior.covariance()[0], exact.variance[0], 1e-4);
  EXPECT_NEAR(fit.log_evidence, std::log(.5), 1e-8);
}

TEST(LogisticRegression, IsNearToTheExactPosterior) {
  const LogisticData data = made_up(40, {1, -2}, 3);
  const LogisticRegressionFit fit = fit_logistic(data, {.prior_variance = 2});
  const ExactPosterior exact = integrated(data, 2);
  ASSERT_TRUE(fit.has_converged);
  EXPECT_EQ(fit.skipped, 0U);
  for (int k = 0; k < 2; ++k) {
    const double deviation = std::sqrt(exact.variance[k]);
    EXPECT_NEAR(fit.posterior.mean()[static_cast<std::size_t>(k)], exact.mean[k], .02 * deviation);
    EXPECT_NEAR(std::sqrt(fit.posterior.covariance()[static_cast<std::size_t>(3 * k)]), deviation, .03 * deviation);
  }
  EXPECT_NEAR(fit.log_evidence, exact.log_evidence, .02);
}

TEST(LogisticRegression, FindsTheWeightsOfManyRowsInAFewIterations) {
  const std::vector<double> weights = {.5, -1, 0, 2, -.25};
  const LogisticRegressionFit fit = fit_logistic(made_up(20'000, weights, 5), {});
  EXPECT_TRUE(fit.has_converged);
  EXPECT_LT(fit.iterations, 15);
  const std::vector<double> mean = fit.posterior.mean(), covariance = fit.posterior.covariance();
  for (std::size_t k = 0; k < weights.size(); ++k)
    EXPECT_NEAR(mean[k], weights[k], 5 * std::sqrt(covariance[6 * k])) << k;  // a false failure in 2e6 runs each
}

TEST(LogisticRegression, PredictionsAreThoseOfTheIntegral) {
  const LogisticData data = made_up(40, {1, -2}, 3);
  const LogisticPredictor predictor(fit_logistic(data, {.prior_variance = 2}).posterior);
  EXPECT_NEAR(predictor.probability(std::vector{0., 0.}), .5, 1e-12);
  EXPECT_GT(predictor.probability(std::vector{3., -3.}), .98);
  EXPECT_NEAR(predictor.probability(std::vector{1., 0.}) + predictor.probability(std::vector{-1., 0.}), 1, 1e-9);
}

TEST(LogisticRegression, StandsSeparableDataAndRowsOfZeros) {
  const LogisticData data = {
      .columns = 2, .values = {1, 0, 2, 0, -1, 0, 0, 0, 1e4, 1}, .labels = {true, true, false, true, true}};
  const LogisticRegressionFit fit = fit_logistic(data, {});
  EXPECT_TRUE(fit.posterior.is_proper());
  EXPECT_TRUE(std::isfinite(fit.log_evidence));
  EXPECT_GT(fit.posterior.mean()[0], 0);
}

TEST(LogisticRegression, KeepsWhatItHasWhereItIsStopped) {
  CancelToken cancel;
  cancel.cancel();
  const LogisticRegressionFit fit = fit_logistic(made_up(10, {1}, 1), {}, {.stop = {.cancel = &cancel}});
  EXPECT_EQ(fit.iterations, 0);
  EXPECT_FALSE(fit.has_converged);
  EXPECT_DOUBLE_EQ(fit.posterior.covariance()[0], LogisticRegressionOptions().prior_variance);  // the prior
  EXPECT_TRUE(std::isnan(fit.log_evidence));
}

/// Messages of the logistic factor, until they were asked for some times.
class CancellingSource : public MessageSource {
 public:
  CancellingSource(CancelToken& cancel, int most) : cancel_(cancel), left_(most) {}

  const Operator& factor() const override { return logistic_; }

  void compute(std::size_t slot, std::uint64_t first, std::span<const Message> incoming,
               std::span<Tilted> results) override {
    direct_.compute(slot, first, incoming, results);
    if (--left_ == 0) cancel_.cancel();
  }

 private:
  CancelToken& cancel_;
  int left_;
  const LogisticOperator logistic_;
  DirectSource direct_{logistic_};
};

TEST(LogisticRegression, AStopAmidAnUpdateKeepsThePosteriorBeforeIt) {
  const LogisticData data = made_up(20'000, {1, -.5}, 1);
  std::vector<double> last;
  for (const int calls : {1, 2}) {  // an update asks three times
    CancelToken cancel;
    CancellingSource source(cancel, calls);
    const LogisticRegressionFit fit = fit_logistic(data, {}, source, {.stop = {.cancel = &cancel}});
    EXPECT_EQ(fit.iterations, 0);
    EXPECT_TRUE(std::isnan(fit.log_evidence));
    EXPECT_NEAR(fit.posterior.mean()[0], 1, .1);  // the mode
    if (!last.empty()) {
      EXPECT_EQ(fit.posterior.mean(), last);
    }
    last = fit.posterior.mean();
  }
}

/// The unit of a column affects only its weight, however large; two rows that a weight separates, whatever its size,
/// leave half of its prior.
TEST(LogisticRegression, ColumnsMayHaveAnyUnit) {
  LogisticData plain = {.columns = 2, .values = {}, .labels = {}};
  for (int i = 0; i < 30; ++i) {
    plain.values.insert(plain.values.end(), {1., (i % 7) - 3.});
    plain.labels.push_back((i * 5 + i % 7) % 10 > 4);
  }
  const LogisticRegressionOptions options = {.prior_variance = 1e12};
  const std::vector<double> expected = fit_logistic(plain, options).posterior.mean();
  for (const double unit : {1e9, 1e12, 1e90}) {
    LogisticData scaled = plain;
    for (std::size_t i = 1; i < scaled.values.size(); i += 2) scaled.values[i] *= unit;
    const LogisticRegressionFit fit = fit_logistic(scaled, options);
    EXPECT_TRUE(fit.has_converged);
    EXPECT_NEAR(fit.posterior.mean()[1] * unit, expected[1], 1e-6 * std::abs(expected[1])) << unit;
  }
  const LogisticData apart = {.columns = 1, .values = {1e12}, .labels = {true}};
  const LogisticRegressionFit fit = fit_logistic(apart, {.prior_variance = 10});
  EXPECT_TRUE(fit.has_converged);
  EXPECT_NEAR(fit.posterior.mean()[0], std::sqrt(20 / std::numbers::pi), .3);
  const LogisticPredictor predictor(fit.posterior);
  EXPECT_GT(predictor.probability(std::vector<double>{1e15}), .9);
  EXPECT_LT(predictor.probability(std::vector<double>{-1e15}), .1);
}

}  // namespace
}  // namespace fovea::ep
