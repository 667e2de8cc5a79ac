// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/operators/logistic.h"

#include <gtest/gtest.h>

namespace fovea::ep {
namespace {

/// Posteriors of x ~ N(1.2, precision .4): an integral by adaptive quadrature in 30 digits of N(x) sigmoid(x)^(a - 1)
/// (1 - sigmoid(x))^(b - 1).
struct LogisticCase {
  double a, b, mean, variance, evidence;
};

constexpr LogisticCase kLogisticCases[] = {
    {2, 1, 1.735711683643876, 1.897040876799618, .697305276585867},
    {1, 2, -.034096780812067, 1.704896988818977, .302694723413305},
    {1.9, 1.1, 1.547755187872655, 1.862487573678543, 0},
    {1.5, 1, 1.512798732811160, 2.131541336692143, 0},
    {.2, 1.8, -.8, 2.5, 0},  // exactly: the tilt is exp(-.8 x)
    {.9, .1, 3.200623777202209, 3.061252056444702, 0},
    {900, 100, 2.206120388297770, .011173774909080, 0},
};

TEST(LogisticFactor, HasTheReferencePosteriors) {
  const Gaussian prior = Gaussian::from_natural(1.2 * .4, .4);
  for (const LogisticCase& expected : kLogisticCases) {
    const Beta p = Beta::from_counts(expected.a, expected.b);
    const Gaussian marginal = LogisticFactor::marginal_of_x(prior, p);
    EXPECT_NEAR(marginal.mean(), expected.mean, 1e-8) << expected.a << ' ' << expected.b;
    EXPECT_NEAR(marginal.variance(), expected.variance, 1e-8) << expected.a << ' ' << expected.b;
    if (expected.evidence > 0) {
      EXPECT_NEAR(std::exp(LogisticFactor::log_evidence(prior, p)), expected.evidence, 1e-10);
    }
  }
}

TEST(LogisticFactor, HasTheReferenceMeans) {
  const auto mean = [](double mu, double variance) {
    return LogisticFactor::marginal_of_p(Gaussian::from_mean_variance(mu, variance), Beta()).mean();
  };
  EXPECT_NEAR(mean(-1, 1), .303265329856008, 1e-10);
  EXPECT_NEAR(mean(-5, 3), .023962216989475, 1e-10);
  EXPECT_NEAR(mean(-5, 10), .084396512538678, 1e-10);
}

// By symmetry p and 1 - p may be exchanged.
TEST(LogisticFactor, IsSymmetric) {
  const Gaussian x = Gaussian::from_mean_variance(.7, 2.3), mirrored = Gaussian::from_mean_variance(-.7, 2.3);
  const Beta p = Beta::from_counts(2.5, 1.2), other = Beta::from_counts(1.2, 2.5);
  EXPECT_NEAR(LogisticFactor::marginal_of_x(x, p).mean(), -LogisticFactor::marginal_of_x(mirrored, other).mean(),
              1e-12);
  EXPECT_NEAR(LogisticFactor::marginal_of_p(x, p).a(), LogisticFactor::marginal_of_p(mirrored, other).b(), 1e-9);
}

/// For a Gaussian so wide that the logistic function is a step, the label leaves a truncated Gaussian: half of N(0,
/// s^2), with mean s sqrt(2 / pi) and variance s^2 (1 - 2 / pi).
TEST(LogisticOperator, MomentsUnderWideGaussiansAreThoseOfAStep) {
  for (const double deviation : {1e4, 1e9, 1e13, 1e100}) {
    const Gaussian x = Gaussian::from_mean_variance(0, deviation * deviation);
    const Gaussian after = LogisticFactor::marginal_of_x(x, Beta::from_counts(2, 1));
    EXPECT_NEAR(after.mean() / deviation, std::sqrt(2 / std::numbers::pi), 1e-6 + 2 / (deviation * deviation));
    EXPECT_NEAR(after.variance() / (deviation * deviation), 1 - 2 / std::numbers::pi, 1e-6);
    const Gaussian shifted = Gaussian::from_mean_variance(deviation, deviation * deviation);
    // P(N(1, 1) > 0) = .8413447
    EXPECT_NEAR(LogisticFactor::mean_of_p(shifted, Beta()), .8413447461, 1e-8);
  }
}

/// Both ways to integrate agree where both work.
TEST(LogisticOperator, WideAndNarrowIntegralsMeet) {
  for (const double mean : {-150., 0., 40., 300.}) {
    const Beta label = Beta::from_counts(2, 1);
    const Gaussian narrow = LogisticFactor::marginal_of_x(Gaussian::from_mean_variance(mean, 9999.9), label);
    const Gaussian wide = LogisticFactor::marginal_of_x(Gaussian::from_mean_variance(mean, 10000.1), label);
    EXPECT_NEAR(narrow.mean(), wide.mean(), 1e-3);
    EXPECT_NEAR(narrow.variance(), wide.variance(), .2);
  }
}

}  // namespace
}  // namespace fovea::ep
