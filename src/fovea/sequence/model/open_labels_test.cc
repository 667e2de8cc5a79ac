// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/model/open_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/expect_error.h"
#include "tests/support/instruction_sets.h"

namespace fovea::sequence {
namespace {

TEST(OpenLabels, HeaviestFirstThenLowest) {
  OpenLabels open;
  open.reset(3);
  open.open(2, std::vector<float>{.1f, .4f, .05f, .4f}, .1f);
  open.open(0, std::vector<float>{-1, -3}, -2);
  EXPECT_THAT(open.at(0), ElementsAre(0));
  EXPECT_THAT(open.at(1), IsEmpty());
  EXPECT_THAT(open.at(2), ElementsAre(1, 3, 0));
}

TEST(OpenLabels, FindsTheOpenOnesAmongMany) {
  for (const std::size_t count : {1, 15, 16, 17, 33, 49, 64}) {
    std::vector<float> scores(count);
    for (std::size_t k = 0; k < count; ++k) scores[k] = static_cast<float>(k * 7 % count);
    std::vector<Value> expected(count);
    for (std::size_t k = 0; k < count; ++k) expected[k] = static_cast<Value>(k);
    const auto heavier = [&](Value a, Value b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; };
    std::sort(expected.begin(), expected.end(), heavier);
    const float least = static_cast<float>(count) / 2;
    std::erase_if(expected, [&](Value k) { return scores[k] < least; });
    testing::for_each_instruction_set([&] {
      OpenLabels open;
      open.reset(1);
      open.open(0, scores, least);
      EXPECT_THAT(open.at(0), ElementsAreArray(expected)) << count;
    });
  }
}

TEST(OpenLabels, AmongSomeLabels) {
  OpenLabels open;
  open.reset(2);
  open.open(1, std::vector<Value>{7, 2, 5, 9}, std::vector<float>{.2f, .5f, .2f, .1f}, .2f);
  EXPECT_THAT(open.at(1), ElementsAre(2, 5, 7));
  EXPECT_THAT(open.at(0), IsEmpty());
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
}  // namespace fovea::sequence
