// SPDX-License-Identifier: Apache-2.0
// Draws of weights against the Gaussians that they come from.
#include "fovea/gp/posterior/weight_draws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/gp/covariance/functions.h"
#include "fovea/gp/inducing/inducing_choice.h"
#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/posterior/averaged_marginals.h"
#include "tests/support/expect_error.h"

namespace fovea::gp {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kDrawnLabels = 2;
constexpr std::uint32_t kKnown = 6;

/// One sequence of five items with attributes 0 to 5 and, at the last two, one that nothing else has.
Sequences five_items(std::uint32_t unknown = 40) {
  Random random(4);
  Sequences sequences;
  for (std::uint32_t t = 0; t < 5; ++t) {
    for (std::uint32_t c = 0; c < kKnown; ++c) {
      if (random.bernoulli(.4)) continue;
      sequences.features.columns.push_back(c);
      sequences.features.values.push_back(static_cast<float>(random.normal()));
    }
    if (t >= 3) {
      sequences.features.columns.push_back(unknown);
      sequences.features.values.push_back(t == 3 ? 1.0f : .5f);
    }
    sequences.features.end_row();
  }
  sequences.begin.push_back(5);
  return sequences;
}

class WeightDrawsTest : public ::testing::Test {
 protected:
  /// A posterior by random sites; a point without covariance instead if `point`.
  MixturePosterior posterior(double weight, std::uint64_t seed, bool point = false) const {
    Random random(seed);
    Sites sites = {RowMatrix(5, kDrawnLabels), RowMatrix(5, kDrawnLabels)};
    for (double& x : sites.precision.reshaped()) x = 2 * random.exponential();
    for (double& x : sites.linear.reshaped()) x = random.normal();
    UnaryPosterior unary(projected_.rows(), sites, 1);
    if (point) unary = UnaryPosterior(unary.means());
    return {{.weight = weight, .unary = unary, .pairwise = PairwisePosterior(kDrawnLabels, .5)}};
  }

  /// Expects the mean and the covariance of one component's draws to be those of for_each_latent.
  void expect_moments(const MixturePosterior& mixture, std::size_t component, std::size_t pairs) const {
    const WeightDraws weights(points_, mixture, pairs, Random(7), 2);
    std::vector<double> values;
    weights.draw(sequences_, 0, values);
    ASSERT_EQ(values.size(), mixture.size() * 2 * pairs * 5 * kDrawnLabels);
    for_each_latent(projected_, mixture[component].unary, 0, 1,
                    [&](std::size_t, std::size_t j, const LatentGaussian& q) {
                      const ColumnMatrix expected = q.factor.triangularView<Eigen::Lower>() *
                                                    ColumnMatrix(q.factor.triangularView<Eigen::Lower>()).transpose();
                      ColumnMatrix draws(5, 2 * index(pairs));
                      for (std::size_t s = 0; s < 2 * pairs; ++s)
                        for (std::size_t t = 0; t < 5; ++t)
                          draws(index(t), index(s)) = values[((component * 2 * pairs + s) * 5 + t) * kDrawnLabels + j];
                      EXPECT_LT((draws.rowwise().mean() - q.mean).norm(), 1e-4);
                      draws.colwise() -= q.mean;
                      const ColumnMatrix found = draws * draws.transpose() / (2.0 * static_cast<double>(pairs));
                      EXPECT_LT((found - expected).norm(), .05 * expected.norm()) << "label " << j;
                    });
  }

  Sequences sequences_ = five_items();
  InducingPoints points_{Covariance(Linear{.variance = 1.7}),
                         rows_at(sequences_.features, std::vector<std::uint32_t>{0, 1, 2})};
  ProjectedSequences projected_{sequences_, points_, 1};
};

TEST_F(WeightDrawsTest, HaveThePosteriorsMoments) { expect_moments(posterior(1, 5), 0, 20000); }

TEST_F(WeightDrawsTest, HaveThemForAPoint) { expect_moments(posterior(1, 5, true), 0, 20000); }

TEST_F(WeightDrawsTest, HaveThemForEachComponentOfAMixture) {
  MixturePosterior mixture = posterior(.25, 5);
  mixture.push_back(posterior(.75, 6)[0]);
  for (std::size_t k = 0; k < 2; ++k) expect_moments(mixture, k, 20000);
}

TEST_F(WeightDrawsTest, HaveThemForMeansByAttributes) {
  MixturePosterior mixture = posterior(1, 5);
  AttributeMeans means(kKnown, kDrawnLabels);
  for (std::size_t i = 0; i < means.weights().size(); ++i) means.weights()[i] = .1f * static_cast<float>(i);
  mixture[0].unary = mixture[0].unary.with_means(means);
  expect_moments(mixture, 0, 20000);
}

TEST_F(WeightDrawsTest, DoNotDependOnTheNumbersOfUnknownAttributes) {
  const MixturePosterior mixture = posterior(1, 5);
  const WeightDraws weights(points_, mixture, 8, Random(7), 1);
  std::vector<double> some, others;
  weights.draw(sequences_, 0, some);
  weights.draw(five_items(41), 0, others);
  EXPECT_EQ(some, others);
}

TEST_F(WeightDrawsTest, UnknownAttributesOfOtherItemsAreIndependent) {
  Sequences two = five_items();
  two.features.columns.back() = 41;  // the last item's
  const MixturePosterior mixture = posterior(1, 5);
  const WeightDraws weights(points_, mixture, 20000, Random(7), 1);
  const auto product = [&](const Sequences& sequences) {
    std::vector<double> values;
    weights.draw(sequences, 0, values);
    double sum = 0;
    const Vector mean = projected_.rows().cast<double>() * mixture[0].unary.means().row(0).transpose();
    for (std::size_t s = 0; s < 40000; ++s)
      sum += (values[(s * 5 + 3) * kDrawnLabels] - mean[3]) * (values[(s * 5 + 4) * kDrawnLabels] - mean[4]);
    return sum / 40000;
  };
  EXPECT_NEAR(product(five_items()) - product(two), 1.7 * .5, .05);
}

TEST_F(WeightDrawsTest, AverageToTheMarginalsOfDrawnValues) {
  const MixturePosterior mixture = posterior(1, 5);
  const ChainLikelihood chain;
  const PredictiveDistribution predictive = {
      .posterior = mixture, .likelihood = chain, .draws = 20000, .random = Random(8)};
  std::vector<double> by_values(5 * kDrawnLabels), by_weights = by_values;
  average_marginals(projected_, predictive, by_values, 1);
  average_marginals(sequences_, WeightDraws(points_, mixture, 10000, Random(8), 1), predictive, by_weights, 2);
  for (std::size_t i = 0; i < by_values.size(); ++i) EXPECT_NEAR(by_weights[i], by_values[i], .01);
}

TEST_F(WeightDrawsTest, RefuseOtherCovariances) {
  const InducingPoints points(Covariance(Rbf{}), rows_at(sequences_.features, std::vector<std::uint32_t>{0, 1, 2}));
  const MixturePosterior mixture = posterior(1, 5);
  EXPECT_THAT(testing::message_of<UsageError>([&] { WeightDraws(points, mixture, 2, Random(1), 1); }),
              HasSubstr("linear"));
}

}  // namespace
}  // namespace fovea::gp
