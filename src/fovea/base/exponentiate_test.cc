// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/exponentiate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace fovea {
namespace {

template <class Real>
void expect_agreement(Real tolerance) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::vector<Real> x(size), expected;
    for (std::size_t i = 0; i < size; ++i) {
      x[i] = -static_cast<Real>(i * i) / 20;
      expected.push_back(std::exp(x[i]));
    }
    if (size > 3) {
      x[3] = -std::numeric_limits<Real>::infinity();
      expected[3] = 0;
    }
    exponentiate(x);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(x[i], expected[i], tolerance * expected[i]);
  }
}

TEST(Exponentiate, MakesZeroOfWhatIsNoNumber) {
  std::vector<float> floats(19, std::numeric_limits<float>::quiet_NaN());
  std::vector<double> doubles(11, std::numeric_limits<double>::quiet_NaN());
  exponentiate(floats);
  exponentiate(doubles);
  EXPECT_EQ(floats, std::vector<float>(19, 0.0f));
  EXPECT_EQ(doubles, std::vector<double>(11, 0.0));
}

TEST(Exponentiate, AgreesWithTheLibrary) {
  expect_agreement<float>(1e-6f);
  expect_agreement<double>(1e-15);
}

}  // namespace
}  // namespace fovea
