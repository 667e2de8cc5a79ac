// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/message_shape.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea::ep {
namespace {

TEST(MessageShape, IsTheMessageAgain) {
  for (const Message& message : {Message(Gaussian::from_mean_variance(-3, .5)), Message(Gamma::from_shape_rate(2, 7)),
                                 Message(Beta::from_counts(3, .5)), Message(Bernoulli::from_log_odds(2)),
                                 Message(Poisson::from_log_rate(1.5)), Message(Point{4})}) {
    const Message again = message_of(message, shape_of(message));
    if (std::holds_alternative<Point>(message)) EXPECT_EQ(again, message);
    else EXPECT_NEAR(divergence(message, again), 0, 1e-12) << family_name(message);
    EXPECT_NEAR(value_at(message, shape_of(message).location), mean_of(message), 1e-12) << family_name(message);
  }
}

TEST(MessageShape, HasAsManyNumbersAsTellSomething) {
  EXPECT_EQ(shape_size(Gaussian()), 2U);
  EXPECT_EQ(shape_size(Poisson()), 1U);
  EXPECT_EQ(shape_size(Dirichlet()), 0U);
}

}  // namespace
}  // namespace fovea::ep
