// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/variational_mixture.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/gradient_check.h"
#include "tests/support/statistics.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kMixtureLabels = 2, kMixturePoints = 3;

/// Components and weights unlike each other.
VariationalMixture uneven_mixture(std::size_t components, bool diagonal, std::uint64_t seed, double spread = .4) {
  VariationalMixture q(components, kMixtureLabels, kMixturePoints, diagonal, 1.5, Random(seed));
  std::vector<double> x = q.packed();
  Random random(seed);
  for (double& each : x) each += spread * random.normal();
  q.unpack(x);
  return q;
}

double divergence_bound(const VariationalMixture& q) {
  MixtureGradient ignored(q);
  return add_negative_divergence(q, ignored);
}

ColumnMatrix covariance_of(const UnaryGaussian& component, std::size_t label) {
  if (component.is_diagonal()) return component.deviations.row(index(label)).cwiseAbs2().asDiagonal().toDenseMatrix();
  return component.factors[label] * component.factors[label].transpose();
}

/// log N(x; mean, covariance), written out.
double log_normal_density(const Vector& x, const Vector& mean, const ColumnMatrix& covariance) {
  const Vector apart = x - mean;
  return -.5 * (static_cast<double>(x.size()) * std::log(2 * std::numbers::pi) + std::log(covariance.determinant()) +
                apart.dot(covariance.inverse() * apart));
}

/// log N(v; m_k, S_k) over all labels; v: |V| x M.
double log_component_density(const UnaryGaussian& component, const RowMatrix& v) {
  double sum = 0;
  for (std::size_t j = 0; j < kMixtureLabels; ++j)
    sum += log_normal_density(v.row(index(j)).transpose(), component.means.row(index(j)).transpose(),
                              covariance_of(component, j));
  return sum;
}

double log_mixture_density(const VariationalMixture& q, const RowMatrix& v) {
  double sum = 0;
  for (std::size_t k = 0; k < q.weights.size(); ++k)
    sum += q.weights[k] * std::exp(log_component_density(q.components[k], v));
  return std::log(sum);
}

double log_prior_density(const RowMatrix& v) {
  return -.5 * (static_cast<double>(v.size()) * std::log(2 * std::numbers::pi) + v.squaredNorm());
}

TEST(VariationalMixtureTest, GradientOfTheDivergenceMatchesDifferences) {
  for (const auto& [components, diagonal] :
       std::vector<std::pair<std::size_t, bool>>{{1, false}, {1, true}, {3, false}, {2, true}}) {
    VariationalMixture q = uneven_mixture(components, diagonal, 3 + components);
    const std::vector<double> x = q.packed();
    MixtureGradient slopes(q);
    add_negative_divergence(q, slopes);
    std::vector<double> gradient(x.size());
    slopes.pack(q, gradient);
    const auto value = [&](const std::vector<double>& at) {
      q.unpack(at);
      return divergence_bound(q);
    };
    EXPECT_TRUE(fovea::testing::gradient_matches(value, x, gradient)) << components << diagonal;
  }
}

TEST(VariationalMixtureTest, AddsToTheGradientItIsGiven) {
  for (const bool diagonal : {false, true}) {
    const VariationalMixture q = uneven_mixture(2, diagonal, 4);
    MixtureGradient once(q), twice(q);
    add_negative_divergence(q, once);
    for (int i = 0; i < 2; ++i) add_negative_divergence(q, twice);
    std::vector<double> one(q.packed().size()), two(one.size());
    once.pack(q, one);
    twice.pack(q, two);
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(two[i], 2 * one[i], 1e-12);
  }
}

TEST(VariationalMixtureTest, DivergenceOfOneComponentIsThatOfGaussians) {
  for (const bool diagonal : {false, true}) {
    const VariationalMixture q = uneven_mixture(1, diagonal, 5);
    double divergence = 0;
    for (std::size_t j = 0; j < kMixtureLabels; ++j) {
      const ColumnMatrix s = covariance_of(q.components[0], j);
      divergence += .5 * (s.trace() + q.components[0].means.row(index(j)).squaredNorm() -
                          static_cast<double>(kMixturePoints) - std::log(s.determinant()));
    }
    EXPECT_NEAR(divergence_bound(q), -divergence, 1e-12);
  }
}

TEST(VariationalMixtureTest, StartsAsThePrior) {
  for (const bool diagonal : {false, true}) {
    const VariationalMixture q(1, kMixtureLabels, kMixturePoints, diagonal, 2, Random(1));
    MixtureGradient slopes(q);
    EXPECT_NEAR(add_negative_divergence(q, slopes), 0, 1e-12);
    std::vector<double> gradient(q.packed().size());
    slopes.pack(q, gradient);
    for (const double slope : gradient) EXPECT_NEAR(slope, 0, 1e-12);
    EXPECT_NEAR(q.pairwise.divergence(), 0, 1e-12);
  }
  const VariationalMixture several(2, kMixtureLabels, kMixturePoints, false, 2, Random(1));
  EXPECT_GT((several.components[0].means - several.components[1].means).norm(), .01);
}

/// Equations (34) to (36), with densities of all labels' functions together.
TEST(VariationalMixtureTest, SeveralComponentsHaveTheBoundOfThePaper) {
  for (const bool diagonal : {false, true}) {
    const VariationalMixture q = uneven_mixture(3, diagonal, 6);
    double expected = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double z = 0, cross = log_prior_density(q.components[k].means);
      for (std::size_t l = 0; l < 3; ++l) {
        double log_density = 0;
        for (std::size_t j = 0; j < kMixtureLabels; ++j)
          log_density += log_normal_density(q.components[k].means.row(index(j)).transpose(),
                                            q.components[l].means.row(index(j)).transpose(),
                                            covariance_of(q.components[k], j) + covariance_of(q.components[l], j));
        z += q.weights[l] * std::exp(log_density);
      }
      for (std::size_t j = 0; j < kMixtureLabels; ++j) cross -= .5 * covariance_of(q.components[k], j).trace();
      expected += q.weights[k] * (cross - std::log(z));
    }
    EXPECT_NEAR(divergence_bound(q), expected, 1e-10);
  }
}

/// A draw of component k: |V| x M.
RowMatrix component_draw(const UnaryGaussian& component, Random& random) {
  RowMatrix v = component.means;
  for (std::size_t j = 0; j < kMixtureLabels; ++j) {
    Vector z(index(kMixturePoints));
    for (double& each : z) each = random.normal();
    if (component.is_diagonal()) v.row(index(j)) += z.transpose().cwiseProduct(component.deviations.row(index(j)));
    else v.row(index(j)) += (component.factors[j] * z).transpose();
  }
  return v;
}

TEST(VariationalMixtureTest, SeveralComponentsAreFurtherFromThePriorThanTheBoundSays) {
  constexpr int kDraws = 4000;
  for (const bool diagonal : {false, true}) {
    const VariationalMixture q = uneven_mixture(3, diagonal, 7, .7);
    Random random(8);
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const RowMatrix v = component_draw(q.components[random.categorical(std::span<const double>(q.weights))], random);
      const double each = log_prior_density(v) - log_mixture_density(q, v);
      sum += each / kDraws;
      squares += each * each / kDraws;
    }
    const double error = std::sqrt((squares - sum * sum) / kDraws),
                 errors = boost::math::quantile(
                     complement(boost::math::normal_distribution<double>(), fovea::testing::kFalseFailureRate));
    EXPECT_LE(divergence_bound(q), sum + errors * error);
  }
}

TEST(VariationalMixtureTest, PacksAndUnpacks) {
  for (const std::size_t components : {1u, 3u})
    for (const bool diagonal : {false, true}) {
      const VariationalMixture q = uneven_mixture(components, diagonal, 9);
      VariationalMixture other(components, kMixtureLabels, kMixturePoints, diagonal, 1.5, Random(1));
      const std::vector<double> x = q.packed();
      const std::size_t covariance = diagonal ? kMixturePoints : kMixturePoints * (kMixturePoints + 1) / 2;
      EXPECT_EQ(x.size(),
                (components > 1 ? components : 0) + components * kMixtureLabels * (kMixturePoints + covariance));
      other.unpack(x);
      double total = 0;
      for (std::size_t k = 0; k < components; ++k) {
        total += other.weights[k];
        EXPECT_NEAR(other.weights[k], q.weights[k], 1e-15);
        EXPECT_EQ(other.components[k].means, q.components[k].means);
        for (std::size_t j = 0; j < kMixtureLabels; ++j)
          EXPECT_LT((covariance_of(other.components[k], j) - covariance_of(q.components[k], j)).norm(), 1e-12);
      }
      EXPECT_NEAR(total, 1, 1e-15);
    }
}

/// A component that explains nothing dies out: its weight must not become 0,
/// which has no logarithm.
TEST(VariationalMixtureTest, AWeightThatVanishesIsNoTrouble) {
  VariationalMixture q = uneven_mixture(2, false, 10);
  std::vector<double> x = q.packed();
  x[0] = 0;
  x[1] = -2000;
  q.unpack(x);
  EXPECT_GT(q.weights[1], 0);
  MixtureGradient slopes(q);
  EXPECT_TRUE(std::isfinite(add_negative_divergence(q, slopes)));
  std::vector<double> gradient(x.size());
  slopes.pack(q, gradient);
  for (const double slope : gradient) EXPECT_TRUE(std::isfinite(slope));
  for (const double each : q.packed()) EXPECT_TRUE(std::isfinite(each));
}

TEST(VariationalMixtureTest, AsAPosteriorItHasTheSameMoments) {
  for (const bool diagonal : {false, true}) {
    const VariationalMixture q = uneven_mixture(2, diagonal, 11);
    const MixturePosterior posterior = q.posterior();
    ASSERT_EQ(posterior.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(posterior[k].weight, q.weights[k]);
      EXPECT_EQ(posterior[k].unary.means(), q.components[k].means);
      EXPECT_EQ(posterior[k].pairwise.deviations, q.pairwise.deviations);
      for (std::size_t j = 0; j < kMixtureLabels; ++j) {
        const ColumnMatrix factor = posterior[k].unary.factor(j).cast<double>(), s = covariance_of(q.components[k], j);
        EXPECT_LT(((factor * factor.transpose()).inverse() - s).norm(), 1e-5 * s.norm());
        EXPECT_TRUE(factor.isLowerTriangular());
      }
    }
  }
}

/// The data's information on one direction may be 10^10 times that on another.
TEST(VariationalMixtureTest, VariancesFarApartMakeAPosteriorToo) {
  constexpr Index kMany = 12;
  Random random(12);
  ColumnMatrix directions(kMany, kMany);
  for (double& each : directions.reshaped()) each = random.normal();
  directions = directions.householderQr().householderQ();
  Vector variances(kMany);
  for (Index i = 0; i < kMany; ++i) variances[i] = std::pow(10, -10.0 * static_cast<double>(i) / (kMany - 1));
  VariationalMixture q(1, 1, size(kMany), false, 1, Random(1));
  q.components[0].factors[0] =
      ColumnMatrix(directions * variances.asDiagonal() * directions.transpose()).llt().matrixL();
  const ColumnMatrix found = q.posterior()[0].unary.factor(0).cast<double>();
  const ColumnMatrix expected = directions * variances.cwiseInverse().asDiagonal() * directions.transpose();
  EXPECT_LT((found * found.transpose() - expected).norm(), 1e-5 * expected.norm());
}

}  // namespace
}  // namespace fovea::gp
