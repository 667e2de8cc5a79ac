// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/cholesky.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"

namespace fovea::ep {
namespace {

/// A positive matrix of this size; what stands above its diagonal is not read.
SquareMatrix positive(int n) {
  Random random(3);
  SquareMatrix a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = random.normal();
  return a * a.transpose() + n * SquareMatrix::Identity(n, n);
}

class Cholesky : public ::testing::TestWithParam<int> {};

TEST_P(Cholesky, FactorsInvertsAndSquares) {
  const SquareMatrix whole = positive(GetParam());
  SquareMatrix lower = whole;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(1e300);
  ASSERT_TRUE(factorize(lower));
  EXPECT_LT((lower * lower.transpose() - whole).cwiseAbs().maxCoeff(), 1e-12 * whole.maxCoeff());
  const SquareMatrix inverse = inverse_of_lower(lower);
  EXPECT_LT((inverse * lower - SquareMatrix::Identity(GetParam(), GetParam())).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(inverse(0, GetParam() - 1), GetParam() == 1 ? inverse(0, 0) : 0);
  SquareMatrix square = inverse.transpose() * inverse;
  square.triangularView<Eigen::StrictlyUpper>().setZero();
  EXPECT_LT((lower_of_square(inverse) - square).cwiseAbs().maxCoeff(), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Cholesky, ::testing::Values(1, 2, 31, 32, 33, 64, 100));

TEST(Cholesky, RefusesWhatIsNotPositive) {
  SquareMatrix late = positive(70);
  late(66, 66) = -1;
  EXPECT_FALSE(factorize(late));
  SquareMatrix none = SquareMatrix::Constant(2, 2, 1);
  none(1, 1) = -1;
  EXPECT_FALSE(factorize(none));
}

}  // namespace
}  // namespace fovea::ep
