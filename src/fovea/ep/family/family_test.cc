// SPDX-License-Identifier: Apache-2.0
// Properties of every family: products, moments and divergences agree with the density.
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "fovea/ep/family/beta.h"
#include "fovea/ep/family/dirichlet.h"
#include "fovea/ep/family/discrete.h"
#include "fovea/ep/family/exponential_family.h"
#include "fovea/ep/family/gamma.h"
#include "fovea/ep/family/gaussian.h"
#include "fovea/ep/family/multivariate_gaussian.h"

namespace fovea::ep {
namespace {

double positive(Random& random) { return std::exp(1.5 * random.normal()); }

template <class F>
F random_member(Random& random);

template <>
Gaussian random_member(Random& random) {
  return Gaussian::from_mean_variance(3 * random.normal(), positive(random));
}
template <>
Gamma random_member(Random& random) {
  return Gamma::from_shape_rate(positive(random), positive(random));
}
template <>
Beta random_member(Random& random) {
  return Beta::from_counts(positive(random), positive(random));
}
template <>
Bernoulli random_member(Random& random) {
  return Bernoulli::from_log_odds(2 * random.normal());
}
template <>
Poisson random_member(Random& random) {
  return Poisson::from_log_rate(random.normal());
}
template <>
Categorical random_member(Random& random) {
  return Categorical::from_scores({random.normal(), random.normal(), random.normal()});
}
template <>
Dirichlet random_member(Random& random) {
  return Dirichlet::from_counts({positive(random), positive(random), positive(random)});
}
template <>
MultivariateGaussian random_member(Random& random) {
  const double a = positive(random), b = positive(random), c = .9 * std::tanh(random.normal()) * std::sqrt(a * b);
  return MultivariateGaussian::from_mean_covariance(std::array{random.normal(), random.normal()},
                                                    std::array{a, c, c, b});
}

template <class F>
class FamilyTest : public ::testing::Test {
 protected:
  static constexpr int kMembers = 50;
  Random random_{3};
};

using Families =
    ::testing::Types<Gaussian, Gamma, Beta, Bernoulli, Poisson, Categorical, Dirichlet, MultivariateGaussian>;
TYPED_TEST_SUITE(FamilyTest, Families);

TYPED_TEST(FamilyTest, QuotientsUndoProducts) {
  static_assert(Family<TypeParam>);
  for (int i = 0; i < this->kMembers; ++i) {
    const auto p = random_member<TypeParam>(this->random_), q = random_member<TypeParam>(this->random_);
    const TypeParam back = p * q / q, damped = power(p, .3) * power(p, .7);
    for (std::size_t k = 0; k < p.natural.size(); ++k) {
      EXPECT_NEAR(back.natural[k], p.natural[k], 1e-12 * (1 + std::abs(p.natural[k]) + std::abs(q.natural[k])));
      EXPECT_NEAR(damped.natural[k], p.natural[k], 1e-12 * (1 + std::abs(p.natural[k])));
    }
  }
}

TYPED_TEST(FamilyTest, ExpectedStatisticsAreTheDerivativeOfTheLogNormalizer) {
  for (int i = 0; i < this->kMembers; ++i) {
    const auto p = random_member<TypeParam>(this->random_);
    ASSERT_TRUE(p.is_proper());
    const auto statistics = p.expected_statistics();
    ASSERT_EQ(statistics.size(), p.natural.size());
    for (std::size_t k = 0; k < p.natural.size(); ++k) {
      const double step = 1e-5 * std::max(1e-3, std::min(1., std::abs(p.natural[k] + 1)));
      TypeParam above = p, below = p;
      above.natural[k] += step;
      below.natural[k] -= step;
      if (!above.is_proper() || !below.is_proper()) continue;
      EXPECT_NEAR((above.log_normalizer() - below.log_normalizer()) / (2 * step), statistics[k],
                  1e-4 * (1 + std::abs(statistics[k])));
    }
  }
}

TYPED_TEST(FamilyTest, MomentMatchingUndoesExpectation) {
  for (int i = 0; i < this->kMembers; ++i) {
    const auto p = random_member<TypeParam>(this->random_);
    const TypeParam back = TypeParam::from_expected_statistics(p.expected_statistics());
    EXPECT_LT(kl_divergence(p, back), 1e-10);
    EXPECT_LT(kl_divergence(back, p), 1e-10);
  }
}

// D(p || q) by the Bregman form, whatever the family's own form is; 0 for equal messages, and never below.
TYPED_TEST(FamilyTest, DivergencesAreThoseOfTheLogNormalizer) {
  for (int i = 0; i < this->kMembers; ++i) {
    const auto p = random_member<TypeParam>(this->random_), q = random_member<TypeParam>(this->random_);
    const auto statistics = p.expected_statistics();
    double expected = q.log_normalizer() - p.log_normalizer();
    for (std::size_t k = 0; k < statistics.size(); ++k) expected += (p.natural[k] - q.natural[k]) * statistics[k];
    EXPECT_NEAR(kl_divergence(p, q), expected, 1e-9 * (1 + std::abs(expected)));
    EXPECT_LT(kl_divergence(p, p), 1e-12);
    EXPECT_GE(kl_divergence(p, q), 0);
  }
}

// The density integrates to 1, and gives the moments: by the trapezoid rule in a variable over all reals.
template <class F, class Map>
void expect_moments(const F& p, const Map& map, double mean, double variance) {
  double mass = 0, first = 0, second = 0;
  constexpr double kStep = 1e-3, kEnd = 40;
  for (double t = -kEnd; t <= kEnd; t += kStep) {
    const auto [x, slope] = map(t);
    const double weight = std::exp(p.log_density(x)) * slope * kStep;
    if (!(weight > 0)) continue;
    mass += weight;
    first += weight * x;
    second += weight * x * x;
  }
  EXPECT_NEAR(mass, 1, 1e-6);
  EXPECT_NEAR(first, mean, 1e-6 * (1 + std::abs(mean)));
  EXPECT_NEAR(second - first * first, variance, 1e-5 * (1 + second));
}

TEST(Families, IntegratesToOneWithTheMomentsTold) {
  const Gaussian gaussian = Gaussian::from_mean_variance(-1.2, .7);
  expect_moments(
      gaussian, [](double t) { return std::pair(t, 1.); }, -1.2, .7);
  const Gamma gamma = Gamma::from_mean_variance(2.5, 3);
  expect_moments(
      gamma, [](double t) { return std::pair(std::exp(t), std::exp(t)); }, 2.5, 3);
  const Beta beta = Beta::from_mean_variance(.3, .05);
  const auto logistic = [](double t) {
    const double x = 1 / (1 + std::exp(-t));
    return std::pair(x, x * (1 - x));
  };
  expect_moments(beta, logistic, .3, .05);
}

TEST(Families, MessagesMayBeImproper) {
  EXPECT_FALSE(Gaussian().is_proper());
  EXPECT_FALSE((Gaussian::from_mean_variance(0, 1) / Gaussian::from_mean_variance(0, .5)).is_proper());
  EXPECT_FALSE(Gamma::from_shape_rate(0, 1).is_proper());
  EXPECT_FALSE(Beta::from_counts(1, -1).is_proper());
  EXPECT_FALSE(Dirichlet::from_counts({1, 0}).is_proper());
  EXPECT_FALSE(Categorical::from_probabilities({0, 0}).is_proper());
  EXPECT_FALSE(MultivariateGaussian::uniform(2).is_proper());
  EXPECT_TRUE(Beta().is_proper());       // uniform on (0, 1)
  EXPECT_TRUE(Bernoulli().is_proper());  // 1 / 2
}

TEST(Families, GammaHasTwoProjections) {
  const Gamma by_variance = Gamma::from_mean_variance(2, .5);
  EXPECT_NEAR(by_variance.mean(), 2, 1e-14);
  EXPECT_NEAR(by_variance.variance(), .5, 1e-14);
  const Gamma by_logarithm = Gamma::from_expected_logarithm(2, .5);
  EXPECT_NEAR(by_logarithm.mean(), 2, 1e-13);
  EXPECT_NEAR(by_logarithm.expected_logarithm(), .5, 1e-13);
}

TEST(Families, DivergenceOfGaussiansNearToEachOtherKeepsItsDigits) {
  const Gaussian p = Gaussian::from_mean_variance(1e6, 1), q = Gaussian::from_mean_variance(1e6 + 1e-4, 1);
  EXPECT_NEAR(kl_divergence(p, q), .5e-8, 1e-12);
}

TEST(Families, CategoricalMayRuleOutValues) {
  const Categorical p = Categorical::from_probabilities({.5, .5, 0}), q = Categorical::from_probabilities({.2, .2, .6});
  EXPECT_NEAR(kl_divergence(p, q), std::log(2.5), 1e-12);
  EXPECT_EQ(kl_divergence(q, p), HUGE_VAL);
  const std::vector<double> both = (p * q).expected_statistics();
  EXPECT_NEAR(both[0], .5, 1e-15);
  EXPECT_EQ(both[2], 0);
}

}  // namespace
}  // namespace fovea::ep
