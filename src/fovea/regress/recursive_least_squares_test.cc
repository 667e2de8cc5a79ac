// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/recursive_least_squares.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"

namespace fovea::regress {
namespace {

double leverage_of(const RecursiveLeastSquares& regression, std::vector<double> phi) {
  return regression.leverage(phi);
}

std::vector<double> normal_row(std::size_t size, Random& random) {
  std::vector<double> row(size);
  for (double& value : row) value = random.normal();
  return row;
}

/// x with A x = b, by elimination with pivots.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t i = column; i < n; ++i)
      if (std::abs(a[i][column]) > std::abs(a[pivot][column])) pivot = i;
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == column) continue;
      const double factor = a[i][column] / a[column][column];
      for (std::size_t j = column; j < n; ++j) a[i][j] -= factor * a[column][j];
      b[i] -= factor * b[column];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return b;
}

TEST(RecursiveLeastSquares, IsRidgeRegressionOnAllExamples) {
  constexpr std::size_t kFeatures = 4, kOutputs = 2;
  constexpr double kRidge = .3;
  Random random(1);
  RecursiveLeastSquares regression(kFeatures, kOutputs, kRidge);
  std::vector<std::vector<double>> a(kFeatures, std::vector<double>(kFeatures)),
      b(kOutputs, std::vector<double>(kFeatures));
  for (std::size_t i = 0; i < kFeatures; ++i) a[i][i] = kRidge;
  for (int example = 0; example < 50; ++example) {
    const std::vector<double> phi = normal_row(kFeatures, random), y = normal_row(kOutputs, random);
    regression.add(phi, y);
    for (std::size_t i = 0; i < kFeatures; ++i) {
      for (std::size_t j = 0; j < kFeatures; ++j) a[i][j] += phi[i] * phi[j];
      for (std::size_t k = 0; k < kOutputs; ++k) b[k][i] += phi[i] * y[k];
    }
    if (example % 10 != 9) continue;
    const std::vector<double> other = normal_row(kFeatures, random);
    std::vector<double> predicted(kOutputs);
    regression.predict(other, predicted);
    for (std::size_t k = 0; k < kOutputs; ++k) {
      const std::vector<double> weights = solved(a, b[k]);
      double expected = 0;
      for (std::size_t i = 0; i < kFeatures; ++i) expected += weights[i] * other[i];
      EXPECT_NEAR(predicted[k], expected, 1e-10);
    }
    const std::vector<double> inverse_times = solved(a, other);
    double leverage = 0;
    for (std::size_t i = 0; i < kFeatures; ++i) leverage += inverse_times[i] * other[i];
    EXPECT_NEAR(leverage_of(regression, other), leverage, 1e-10);
  }
  EXPECT_EQ(regression.examples(), 50U);
}

TEST(RecursiveLeastSquares, StaysExactWhereFeaturesAreNearlyDependent) {
  Random random(2);
  RecursiveLeastSquares regression(2, 1, 1e-9);
  for (int example = 0; example < 20'000; ++example) {
    const double x = random.normal(), nearly = x + 1e-5 * random.normal();
    regression.add(std::vector{x, nearly}, std::vector{3 * x - 2 * nearly});
  }
  std::vector<double> predicted(1);
  regression.predict(std::vector{1., 1.}, predicted);
  EXPECT_NEAR(predicted[0], 1, 1e-6);
  EXPECT_GT(leverage_of(regression, {1., 1.}), 0);
  EXPECT_GT(leverage_of(regression, {1., -1.}), 1e3 * leverage_of(regression, {1., 1.}));
}

/// Expects `fit` of some rows to give the same as adding them one after the other.
void expect_same_fit(std::size_t rows) {
  constexpr std::size_t kFeatures = 3, kOutputs = 2;
  constexpr double kRidge = .3, kTolerance = 1e-10;
  Random random(3);
  std::vector<double> phi, y;
  for (std::size_t i = 0; i < rows * kFeatures; ++i) phi.push_back(random.normal());
  for (std::size_t i = 0; i < rows * kOutputs; ++i) y.push_back(random.normal());
  RecursiveLeastSquares at_once(kFeatures, kOutputs, kRidge), in_turns(kFeatures, kOutputs, kRidge);
  const RecursiveLeastSquares::InSample told = at_once.fit(phi, y);
  for (std::size_t i = 0; i < rows; ++i)
    in_turns.add(std::span(phi).subspan(i * kFeatures, kFeatures), std::span(y).subspan(i * kOutputs, kOutputs));
  EXPECT_EQ(at_once.examples(), rows);
  const std::vector<double> last(phi.end() - kFeatures, phi.end()), more = normal_row(kFeatures, random);
  at_once.add(more, std::vector{1., 2.});  // both go on alike
  in_turns.add(more, std::vector{1., 2.});
  std::vector<double> a(kOutputs), b(kOutputs);
  at_once.predict(last, a);
  in_turns.predict(last, b);
  for (std::size_t k = 0; k < kOutputs; ++k) EXPECT_NEAR(a[k], b[k], kTolerance);
  EXPECT_NEAR(leverage_of(at_once, last), leverage_of(in_turns, last), kTolerance);
  ASSERT_EQ(told.leverage.size(), rows);
  EXPECT_LT(told.leverage.back(), 1);
}

TEST(RecursiveLeastSquares, LearnsManyAtOnceAsInTurns) {
  expect_same_fit(40);
  expect_same_fit(2);  // fewer rows than features
}

TEST(RecursiveLeastSquares, LearnsWhereTheRidgeIsLostInSums) {
  const std::vector<double> phi = {1e8, 1e8}, y = {3};  // 1e16 + 1e-12 is 1e16: no Cholesky factor
  RecursiveLeastSquares regression(2, 1, 1e-12);
  const RecursiveLeastSquares::InSample told = regression.fit(phi, y);
  EXPECT_NEAR(told.predicted[0], 3, 1e-9);
  EXPECT_NEAR(told.leverage[0], 1, 1e-9);
  EXPECT_EQ(regression.examples(), 1U);
}

TEST(RecursiveLeastSquares, TellsWhatItPredictsOfWhatItLearned) {
  const std::vector<double> phi = {1, 0, 1, 1, 1, 2, 1, 3}, y = {1, 2, 2, 4};
  RecursiveLeastSquares line(2, 1, 1e-9);
  const RecursiveLeastSquares::InSample told = line.fit(phi, y);
  const double fitted[] = {.9, 1.8, 2.7, 3.6}, leverage[] = {.7, .3, .3, .7};  // by hand
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(told.predicted[i], fitted[i], 1e-7);
    EXPECT_NEAR(told.leverage[i], leverage[i], 1e-7);
  }
}

TEST(RecursiveLeastSquares, KnowsNothingAtFirst) {
  const RecursiveLeastSquares regression(2, 1, .5);
  std::vector<double> predicted(1);
  regression.predict(std::vector{1., 2.}, predicted);
  EXPECT_EQ(predicted[0], 0);
  EXPECT_NEAR(leverage_of(regression, {1., 2.}), 10, 1e-12);  // |phi|^2 / ridge
}

}  // namespace
}  // namespace fovea::regress
