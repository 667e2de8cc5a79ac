// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace fovea {
namespace {

TEST(SuggestTest, DistanceCountsEdits) {
  EXPECT_EQ(edit_distance("tag", "tag"), 0u);
  EXPECT_EQ(edit_distance("", "tag"), 3u);
  EXPECT_EQ(edit_distance("tga", "tag"), 1u);
  EXPECT_EQ(edit_distance("tg", "tag"), 1u);
  EXPECT_EQ(edit_distance("trane", "train"), 2u);
  EXPECT_EQ(edit_distance("train", "tune"), edit_distance("tune", "train"));
}

TEST(SuggestTest, NamesTheNearestOrNothing) {
  const std::vector<std::string> names = {"train", "tune", "tag"};
  EXPECT_EQ(suggestion("trian", names), " Did you mean 'train'?");
  EXPECT_EQ(suggestion("tga", names), " Did you mean 'tag'?");
  EXPECT_EQ(suggestion("solve", names), "");
  EXPECT_EQ(suggestion(std::string(100000, 't'), names), "");
  EXPECT_EQ(suggestion("tag", std::vector<std::string>{}), "");
}

TEST(SuggestionTest, MeansItOrSaysNothing) {
  const std::vector<std::string> names = {"x", "ab", "Age"};
  EXPECT_EQ(suggestion("z", names), "");
  EXPECT_EQ(suggestion("ac", names), "");
  EXPECT_EQ(suggestion("X", names), " Did you mean 'x'?");
  EXPECT_EQ(suggestion("AGE", names), " Did you mean 'Age'?");
  EXPECT_EQ(suggestion("Aga", names), " Did you mean 'Age'?");
}

}  // namespace
}  // namespace fovea
