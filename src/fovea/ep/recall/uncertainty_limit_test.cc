// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/uncertainty_limit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fovea::ep {
namespace {

UncertaintyLimit limit_with(bool is_bounded) {
  return UncertaintyLimit({.max_error = 1, .window = 4, .least = 2, .is_bounded = is_bounded});
}

TEST(UncertaintyLimit, IsTheLeastDoubtOfAnError) {
  UncertaintyLimit limit = limit_with(false);
  limit.add({.doubt = .1, .error = .2});
  EXPECT_EQ(limit.value(), 0);  // too few
  limit.add({.doubt = .5, .error = .1});
  EXPECT_EQ(limit.value(), HUGE_VAL);  // no error
  limit.add({.doubt = .3, .error = 2});
  limit.add({.doubt = .4, .error = 3});
  EXPECT_EQ(limit.value(), .3);
}

TEST(UncertaintyLimit, TrustsNoDoubtThatWasNotSeen) {
  UncertaintyLimit limit = limit_with(true);
  limit.add({.doubt = .1, .error = .2});
  limit.add({.doubt = .5, .error = .1});
  EXPECT_GT(limit.value(), .5);
  EXPECT_LT(limit.value(), .5 + 1e-9);
}

// Only cases that were as doubtful and went right forgive a fault, however many others there were.
TEST(UncertaintyLimit, ForgivesAFaultOnceOthersAsDoubtfulWentRight) {
  UncertaintyLimit limit({.max_error = 1, .window = 4, .least = 2, .forgiven_after = 3});
  limit.add({.doubt = .2, .error = 2});
  for (int i = 0; i < 50; ++i) limit.add({.doubt = .1, .error = 0});
  EXPECT_LT(limit.value(), .2);
  limit.add({.doubt = .3, .error = 0});
  limit.add({.doubt = .2, .error = 0});
  EXPECT_EQ(limit.value(), .2);
  limit.add({.doubt = .25, .error = 0});
  EXPECT_GT(limit.value(), .29);
  EXPECT_EQ(limit.cases().size(), 4U);
}

// A NaN error, as of an improper prediction, counts as an error.
TEST(UncertaintyLimit, CountsUndefinedErrors) {
  UncertaintyLimit limit = limit_with(false);
  for (int i = 0; i < 3; ++i) limit.add({.doubt = .2, .error = std::nan("")});
  EXPECT_EQ(limit.value(), .2);
}

}  // namespace
}  // namespace fovea::ep
