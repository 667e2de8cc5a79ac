// SPDX-License-Identifier: Apache-2.0
#include "fovea/optimize/adagrad.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace fovea::optimize {
namespace {

TEST(AdaGrad, FollowsItsDefinition) {
  std::vector<double> x = {1, 2};
  AdaGrad<double> adagrad(x, {.learning_rate = .5, .delta = .01});
  adagrad.next_step();
  adagrad.update(0, 3.0);
  adagrad.next_step();
  adagrad.update(0, -1.0);
  EXPECT_DOUBLE_EQ(x[0], 1 - .5 / std::sqrt(9.01) * 3 + .5 / std::sqrt(10.01));
  EXPECT_EQ(x[1], 2);
}

/// The same with every parameter touched in every step.
TEST(AdaGrad, LazyPenaltyEqualsAnEagerOne) {
  constexpr double kRate = .3, kDelta = .1, kL2 = .05;
  std::vector<double> x = {1, -2, .5}, eager = x, squares(3);
  AdaGrad<double> adagrad(x, {.learning_rate = kRate, .delta = kDelta, .l2 = kL2});
  std::mt19937 engine(2);
  for (int step = 0; step < 200; ++step) {
    adagrad.next_step();
    const std::size_t touched = engine() % 7;  // mostly none of the three
    for (std::size_t i = 0; i < 3; ++i) {
      const double g = i == touched ? static_cast<double>(engine() % 100) / 50 - 1 : 0;
      if (i == touched) {
        EXPECT_NEAR(adagrad.current(i), eager[i], 1e-12);
        adagrad.update(i, g);
      }
      squares[i] += g * g;
      const double rate = kRate / std::sqrt(kDelta + squares[i]);
      eager[i] = (eager[i] - rate * g) / (1 + 2 * kL2 * rate);
    }
    if (step % 50 == 49) {
      adagrad.flush();
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], eager[i], 1e-12);
    }
  }
}

}  // namespace
}  // namespace fovea::optimize
