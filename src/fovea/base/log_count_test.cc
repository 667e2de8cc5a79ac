// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/log_count.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(LogCountTest, IsTheLogarithmOfSmallAndLargeCounts) {
  for (const std::size_t n : {1u, 2u, 1000u, 4095u, 4096u, 4000000000u})
    EXPECT_EQ(log_count(n), std::log(static_cast<double>(n))) << n;
}

}  // namespace
}  // namespace fovea
