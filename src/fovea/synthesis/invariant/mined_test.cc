// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/mined.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/counting_loop.h"

namespace fovea::synthesis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(MinedMaterial, HasTheNumbersAndComparisonsOfALoop) {
  const MinedMaterial material = mine(fovea::testing::counting_loop(7));
  EXPECT_THAT(material.numbers, ElementsAre(0, 1, 7));
  EXPECT_THAT(material.bounds, ElementsAre(-8, -7, -6, -2, -1, 0, 1, 2, 6, 7, 8));
  EXPECT_THAT(material.guards, Contains(Atom{{1, -1}, 0}));   // x <= n
  EXPECT_THAT(material.guards, Contains(Atom{{1, -1}, -1}));  // x < n
  EXPECT_THAT(material.guards, Contains(Atom{{0, -1}, 0}));   // 0 <= n
  EXPECT_THAT(material.guards, Contains(Atom{{-1, 0}, -7}));  // of x = 7
  EXPECT_THAT(material.forms, ElementsAre(ElementsAre(0, 1), ElementsAre(1, -1), ElementsAre(1, 0)));
}

}  // namespace
}  // namespace fovea::synthesis
