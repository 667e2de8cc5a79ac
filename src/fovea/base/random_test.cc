// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/random.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(RandomTest, ChildDependsOnSeedAndPathOnly) {
  Random a(7), b(7);
  a.normal();
  EXPECT_EQ(a.child("chain", 3).uniform_index(1u << 30), b.child("chain", 3).uniform_index(1u << 30));
  EXPECT_NE(a.child("chain", 3).uniform_index(1u << 30), b.child("chain", 4).uniform_index(1u << 30));
  EXPECT_NE(a.child("chain", 3).uniform_index(1u << 30), b.child("site", 3).uniform_index(1u << 30));
}

}  // namespace
}  // namespace fovea
