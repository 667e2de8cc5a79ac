// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/open_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fovea {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OpenLabels, HeaviestFirstThenLowest) {
  OpenLabels open;
  open.reset(3);
  open.open(2, std::vector<float>{.1f, .4f, .05f, .4f}, .1f);
  open.open(0, std::vector<float>{-1, -3}, -2);
  EXPECT_THAT(open.at(0), ElementsAre(0));
  EXPECT_THAT(open.at(1), IsEmpty());
  EXPECT_THAT(open.at(2), ElementsAre(1, 3, 0));
}

TEST(OpenLabels, ResetForgets) {
  OpenLabels open;
  open.reset(1);
  open.open(0, std::vector<float>{1}, 0);
  open.reset(2);
  EXPECT_THAT(open.at(0), IsEmpty());
  EXPECT_THAT(open.at(1), IsEmpty());
}

}  // namespace
}  // namespace fovea
