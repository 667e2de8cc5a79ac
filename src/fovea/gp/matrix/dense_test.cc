// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/matrix/dense.h"

#include <gtest/gtest.h>

#include <thread>

namespace fovea::gp {
namespace {

LargeColumns random_positive(Index n) {
  const LargeColumns rows = LargeColumns::Random(n, n + 5);
  return rows * rows.transpose() + LargeColumns::Identity(n, n);
}

TEST(DenseTest, MultipliesAsEigenDoes) {
  for (const Index m : {1, 7, 130}) {
    const LargeRows rows = LargeRows::Random(40, m);
    LargeColumns sum = LargeColumns::Identity(m, m);
    add_products(rows.topRows(0), sum);
    add_products(rows, sum);
    const LargeColumns expected = rows.transpose() * rows + LargeColumns::Identity(m, m);
    EXPECT_LT((sum - expected).triangularView<Eigen::Lower>().toDenseMatrix().norm(), 1e-4 * expected.norm());
  }
}

TEST(DenseTest, FactorizesAndSolves) {
  for (const Index m : {1, 5, 95, 96, 97, 300}) {
    const LargeColumns matrix = random_positive(m);
    LargeColumns factor = matrix;
    ASSERT_TRUE(factorize(factor));
    EXPECT_LT((factor * factor.transpose() - matrix).norm(), 1e-5 * matrix.norm()) << m;
    LargeColumns columns = LargeColumns::Random(m, 11);
    const LargeColumns right = columns;
    solve_lower(factor, columns);
    EXPECT_LT((factor * columns - right).norm(), 1e-4 * right.norm()) << m;
  }
  LargeColumns indefinite = random_positive(200);
  indefinite(150, 150) = -1;
  EXPECT_FALSE(factorize(indefinite));
}

TEST(DenseTest, ThreadsDoNotDisturbEachOther) {
  const LargeRows rows = LargeRows::Random(200, 150);
  const LargeColumns matrix = random_positive(150);
  const auto work = [&](LargeColumns& result) {
    for (int i = 0; i < 20; ++i) {
      LargeColumns factor = matrix;
      factorize(factor);
      result = LargeColumns::Zero(150, 150);
      add_products(rows, result);
      solve_lower(factor, result);
    }
  };
  LargeColumns alone;
  work(alone);
  std::vector<LargeColumns> together(4);
  {
    std::vector<std::jthread> threads;
    for (LargeColumns& result : together) threads.emplace_back([&work, &result] { work(result); });
  }
  for (const LargeColumns& result : together) EXPECT_EQ(result, alone);
}

TEST(DenseTest, ProjectsInDouble) {
  const LargeRows rows = LargeRows::Random(600, 20);
  const RowMatrix means = RowMatrix::Random(3, 20), sums = RowMatrix::Random(600, 3);
  EXPECT_LT((project(rows, means) - rows.cast<double>() * means.transpose()).norm(), 1e-12);
  EXPECT_LT((back_project(rows, sums) - sums.transpose() * rows.cast<double>()).norm(), 1e-11);
}

TEST(DenseTest, SlopesByAFactorBecomeSlopesByItsSquare) {
  const Index m = 4;
  const ColumnMatrix rows = ColumnMatrix::Random(m, m + 2), slopes = ColumnMatrix::Random(m, m);
  const ColumnMatrix matrix = rows * rows.transpose();
  const auto value_at = [&](const ColumnMatrix& at) {
    const ColumnMatrix factor = at.llt().matrixL();
    return factor.cwiseProduct(slopes).sum();
  };
  const ColumnMatrix factor = matrix.llt().matrixL();
  const ColumnMatrix found = covariance_slopes<ColumnMatrix>(factor, slopes);
  const double step = 1e-5;
  for (Index r = 0; r < m; ++r)
    for (Index c = 0; c <= r; ++c) {
      ColumnMatrix change = ColumnMatrix::Zero(m, m);
      change(r, c) = change(c, r) = step;
      EXPECT_NEAR(found.cwiseProduct(change).sum() / step,
                  (value_at(matrix + change) - value_at(matrix - change)) / (2 * step), 1e-7);
    }
}

}  // namespace
}  // namespace fovea::gp
