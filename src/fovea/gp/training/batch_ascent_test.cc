// SPDX-License-Identifier: Apache-2.0
// Minibatches against all items at once.
#include "fovea/gp/training/batch_ascent.h"

#include <gtest/gtest.h>

#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/posterior/posteriors.h"
#include "fovea/gp/structured_gp.h"
#include "tests/support/gp_problem.h"

namespace fovea::gp {
namespace {

using fovea::testing::GpProblem;
using fovea::testing::random_gp_sequences;
using fovea::testing::telling_gp_sequences;

Sites random_sites(Index items, Index labels, std::uint64_t seed) {
  Random random(seed);
  Sites sites = {RowMatrix(items, labels), RowMatrix(items, labels)};
  for (double& precision : sites.precision.reshaped()) precision = random.exponential();
  for (double& linear : sites.linear.reshaped()) linear = random.normal();
  return sites;
}

/// log of the integral of prior times sites, by the dense formula.
double dense_log_evidence(const LargeRows& rows, const Sites& sites) {
  double sum = 0;
  for (Index j = 0; j < sites.precision.cols(); ++j) {
    const ColumnMatrix a = rows.cast<double>();
    const ColumnMatrix precision =
        ColumnMatrix::Identity(a.cols(), a.cols()) + a.transpose() * sites.precision.col(j).asDiagonal() * a;
    const Vector linear = a.transpose() * sites.linear.col(j);
    const Eigen::LLT<ColumnMatrix> decomposed(precision);
    sum +=
        .5 * linear.dot(decomposed.solve(linear)) - ColumnMatrix(decomposed.matrixL()).diagonal().array().log().sum();
  }
  return sum;
}

TEST(RunningPosteriorTest, ReplacedSitesLeaveNoTrace) {
  const ChainLikelihood chain;
  const GpProblem data(random_gp_sequences({3, 5, 4}, 2, 1), chain, {0, 3, 6});
  const LargeRows& rows = data.problem().projected.rows();
  const Sites none = {RowMatrix::Zero(12, 2), RowMatrix::Zero(12, 2)}, first = random_sites(12, 2, 2),
              second = random_sites(12, 2, 3);
  RunningPosterior running(2, 3);
  running.replace(rows, none, first, 1);
  running.replace(rows, first, second, 2);
  const UnaryPosterior q = running.posterior(1), expected(rows, second, 1);
  EXPECT_LT((q.means() - expected.means()).cwiseAbs().maxCoeff(), 1e-4);
  for (std::size_t j = 0; j < 2; ++j) EXPECT_LT((q.factor(j) - expected.factor(j)).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_NEAR(running.log_evidence(q), dense_log_evidence(rows, second), 1e-4);
}

TEST(MinibatchGradientTest, GetsWhereAllItemsAtOnceGet) {
  const Sequences train = telling_gp_sequences(60, 4), test = telling_gp_sequences(20, 5);
  StructuredGp whole({.minibatch = -1, .tolerance = 1e-5}), parts({.minibatch = 20, .tolerance = 1e-5});
  const double bound = whole.fit(train).bound.total();
  EXPECT_NEAR(parts.fit(train).bound.total(), bound, .01 * std::abs(bound));
  const std::vector<double> expected = whole.predict(test).marginals, found = parts.predict(test).marginals;
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], .03);
}

/// With a single minibatch of everything, its bound is the bound, and no step may lower it.
TEST(MinibatchGradientTest, NoStepLowersTheBound) {
  const Sequences train = telling_gp_sequences(40, 6);
  StructuredGp gp({.iterations = 8, .minibatch = 1000000, .tolerance = 0, .means = GpMeans::kInducingPoints});
  std::vector<double> bounds;
  gp.fit(train, std::make_shared<ChainLikelihood>(), {}, {},
         [&](const FitRecord& record) { bounds.push_back(record.bound); });
  ASSERT_EQ(bounds.size(), 8u);
  for (std::size_t i = 1; i < bounds.size(); ++i) EXPECT_GE(bounds[i], bounds[i - 1] - 1e-3) << i;
}

TEST(MinibatchGradientTest, AnswersDoNotDependOnThreads) {
  const Sequences train = telling_gp_sequences(60, 7);
  std::vector<double> bounds;
  for (const int threads : {1, 3}) {
    StructuredGp gp({.iterations = 2, .minibatch = 30, .threads = threads});
    bounds.push_back(gp.fit(train).bound.total());
  }
  EXPECT_EQ(bounds[0], bounds[1]);
}

TEST(MinibatchGradientTest, ManyItemsGoByMinibatches) {
  const Sequences many = telling_gp_sequences(9000, 8);
  ASSERT_GT(many.item_count(), 20000u);
  StructuredGp gp({.iterations = 1, .calibrate = false});
  std::vector<int> iterations;
  gp.fit(many, std::make_shared<ChainLikelihood>(), {}, {},
         [&](const FitRecord& record) { iterations.push_back(record.iteration); });
  EXPECT_GT(iterations.size(), 5u);  // several steps in one pass
}

}  // namespace
}  // namespace fovea::gp
