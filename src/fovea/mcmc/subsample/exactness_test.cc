// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/exactness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::mcmc {
namespace {

TEST(ExactnessTest, IsReadAsWritten) {
  EXPECT_EQ(Exactness::parse(ExactnessOptions().exactness).kind, Exactness::Kind::kExact);
  const Exactness bounded = Exactness::parse("bounded:0.01");
  EXPECT_EQ(bounded.kind, Exactness::Kind::kBounded);
  EXPECT_EQ(bounded.error, 0.01);
  EXPECT_EQ(Exactness::parse("estimate").threshold, 1);
  const Exactness estimate = Exactness::parse("estimate:1e-1");
  EXPECT_EQ(estimate.kind, Exactness::Kind::kEstimate);
  EXPECT_EQ(estimate.threshold, 0.1);
  const Exactness fraction = Exactness::parse("fraction:1");
  EXPECT_EQ(fraction.kind, Exactness::Kind::kFraction);
  EXPECT_EQ(fraction.fraction, 1);
  const Exactness width = Exactness::parse("width:20");
  EXPECT_EQ(width.kind, Exactness::Kind::kWidth);
  EXPECT_EQ(width.threshold, 20);
}

TEST(ExactnessTest, WhatIsNoneIsRefused) {
  for (const char* text :
       {"",           "Exact",        "exact:1",      "bounded",   "bounded:",   "bounded:0",    "bounded:1",
        "bounded:-1", "bounded:0.1x", "bounded:nan",  "estimate:", "estimate:0", "estimate:inf", "estimate:1,5",
        "fraction",   "fraction:0",   "fraction:1.1", "width",     "width:0",    "width:-1"}) {
    const std::string message = testing::message_of<UsageError>([&] { Exactness::parse(text); });
    EXPECT_THAT(message, HasSubstr("'" + std::string(text) + "'"));
    EXPECT_THAT(message, HasSubstr("bounded:0.01"));
  }
}

}  // namespace
}  // namespace fovea::mcmc
