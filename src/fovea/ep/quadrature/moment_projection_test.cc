// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/quadrature/moment_projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"

namespace fovea::ep {
namespace {

const std::vector<Message>& scalars() {
  static const std::vector<Message> all = {Gaussian::from_mean_variance(3, .5), Gamma::from_shape_rate(4, 2),
                                           Beta::from_counts(2, 5), Bernoulli::from_probability(.3),
                                           Poisson::from_mean(2.5)};
  return all;
}

TEST(MomentProjection, FindsTheMemberWithTheMomentsOfOne) {
  for (const Message& message : scalars()) {
    const MomentProjection projection(message, 2.9);
    const Message found = projection.from(projection.expected(message));
    EXPECT_LT(divergence(message, found), 1e-12) << family_name(message);
  }
}

// By draws: the mean of at(x) is expected(), the mean of controls is 0, within five standard errors.
TEST(MomentProjection, ExpectsWhatDrawsHaveInTheMean) {
  constexpr int kDraws = 20'000;
  Random random(1);
  for (const Message& message : scalars()) {
    const MomentProjection projection(message, mean_of(message));
    const MomentProjection::ControlsOf controls(projection, message);
    const MomentProjection::Moments expected = projection.expected(message);
    for (std::size_t k = 0; k < 2 + 4; ++k) {
      double sum = 0, squares = 0;
      for (int i = 0; i < kDraws; ++i) {
        const double x = draw(message, random);
        const double value = k < 2 ? projection.at(x)[k] - expected[k] : controls.at(x)[k - 2];
        sum += value;
        squares += value * value;
      }
      EXPECT_LE(std::abs(sum), 5 * std::sqrt(squares)) << family_name(message) << " " << k;
    }
  }
}

TEST(MomentProjection, CountsTheMomentsOfAFamily) {
  const std::size_t sizes[] = {2, 2, 2, 1, 1};
  for (std::size_t i = 0; i < scalars().size(); ++i) EXPECT_EQ(MomentProjection(scalars()[i], 0).size(), sizes[i]);
}

TEST(MomentProjection, IsNotProperWhereThereIsNone) {
  EXPECT_FALSE(is_proper(MomentProjection(Gaussian(), 0).from({1, .5})));  // a negative variance
  // E[log x] is below log E[x].
  EXPECT_FALSE(is_proper(MomentProjection(Gamma::from_shape_rate(1, 1), 0).from({2, 1})));
}

}  // namespace
}  // namespace fovea::ep
