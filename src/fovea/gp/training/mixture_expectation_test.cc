// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/mixture_expectation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/gp/likelihood/chain_likelihood.h"
#include "tests/support/gp_problem.h"
#include "tests/support/gradient_check.h"

namespace fovea::gp {
namespace {

constexpr std::size_t kProjectedLabels = 2;

class ProjectedComponentTest : public ::testing::TestWithParam<bool> {
 protected:
  ProjectedComponentTest() {
    std::vector<double> x = mixture_.packed();
    Random random(3);
    for (double& each : x) each += .5 * random.normal();
    mixture_.unpack(x);
  }

  /// b and Sigma of equation (18), written out.
  Vector mean(std::size_t n, std::size_t label) const {
    return data_.rows(n) * mixture_.components[0].means.row(index(label)).transpose();
  }
  ColumnMatrix covariance(std::size_t n, std::size_t label) const {
    const UnaryGaussian& component = mixture_.components[0];
    ColumnMatrix s;
    if (component.is_diagonal()) s = component.deviations.row(index(label)).cwiseAbs2().asDiagonal();
    else s = component.factors[label] * component.factors[label].transpose();
    return data_.projected.residual(n) + data_.rows(n) * s * data_.rows(n).transpose();
  }

  ChainLikelihood chain_;
  fovea::testing::GpProblem data_{
      fovea::testing::random_gp_sequences({2, 4, 1, 3}, kProjectedLabels, 1), chain_, {0, 3, 7}};
  VariationalMixture mixture_{1, kProjectedLabels, 3, GetParam(), 1, Random(2)};
};

INSTANTIATE_TEST_SUITE_P(FullAndDiagonal, ProjectedComponentTest, ::testing::Bool());

/// In single precision, and with the jitter that LatentGaussian::factorize adds to variances: 1e-5 of the largest.
TEST_P(ProjectedComponentTest, IsTheComponentAtTheItems) {
  const InferenceProblem problem = data_.problem();
  const ProjectedComponent projected(problem, mixture_.components[0], 1, 4);
  for (std::size_t n = 1; n < 4; ++n) {
    const SequenceGaussian q = projected.at(n, mixture_.pairwise);
    EXPECT_EQ(q.pairwise, &mixture_.pairwise);
    for (std::size_t j = 0; j < kProjectedLabels; ++j) {
      const ColumnMatrix expected = covariance(n, j), factor = q.factors[j];
      EXPECT_LT((q.means[j] - mean(n, j)).norm(), 1e-12);
      EXPECT_LT((factor * factor.transpose() - expected).cwiseAbs().maxCoeff(), 2e-5 * expected.diagonal().maxCoeff());
      EXPECT_TRUE(factor.isLowerTriangular());
    }
  }
}

TEST_P(ProjectedComponentTest, LeadsGradientsBackToTheComponent) {
  constexpr std::size_t kBegin = 1, kEnd = 4;
  constexpr double kWeight = .3;
  Random random(4);
  std::vector<SequenceExpectation> slopes(kEnd - kBegin);
  for (std::size_t n = kBegin; n < kEnd; ++n)
    for (std::size_t j = 0; j < kProjectedLabels; ++j) {
      const Index length = index(data_.projected.length(n));
      Vector c(length);
      ColumnMatrix d(length, length);
      for (double& each : c) each = random.normal();
      for (double& each : d.reshaped()) each = random.normal();
      slopes[n - kBegin].means.push_back(c);
      slopes[n - kBegin].covariances.push_back(d + d.transpose());
    }
  const InferenceProblem problem = data_.problem();
  MixtureGradient gradient(mixture_);
  ProjectedComponent(problem, mixture_.components[0], kBegin, kEnd)
      .add_gradient(slopes, kWeight, gradient.components[0]);
  const std::vector<double> x = mixture_.packed();
  std::vector<double> packed(x.size());
  gradient.pack(mixture_, packed);
  const auto value = [&](const std::vector<double>& at) {
    mixture_.unpack(at);
    double sum = 0;
    for (std::size_t n = kBegin; n < kEnd; ++n)
      for (std::size_t j = 0; j < kProjectedLabels; ++j)
        sum += kWeight * (slopes[n - kBegin].means[j].dot(mean(n, j)) +
                          slopes[n - kBegin].covariances[j].cwiseProduct(covariance(n, j)).sum());
    return sum;
  };
  EXPECT_TRUE(fovea::testing::gradient_matches(value, x, packed,
                                               1e-5));  // single precision
}

}  // namespace
}  // namespace fovea::gp
