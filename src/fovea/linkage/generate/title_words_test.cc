// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/title_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

namespace fovea::linkage {
namespace {

std::multiset<std::string> words_of(std::uint32_t topic, int titles, std::uint64_t seed) {
  const TitleWords words{Random(1)};
  Random random(seed);
  std::multiset<std::string> all;
  for (int i = 0; i < titles; ++i) {
    std::istringstream title(words.draw_title(topic, topic, random));
    for (std::string word; title >> word;) all.insert(word);
  }
  return all;
}

double share_known(const std::multiset<std::string>& words, const std::multiset<std::string>& known) {
  const auto count = std::count_if(words.begin(), words.end(), [&](const auto& word) { return known.contains(word); });
  return static_cast<double>(count) / static_cast<double>(words.size());
}

TEST(TitleWordsTest, TitlesHaveNineWordsOnAverage) {
  const int titles = 2000;
  const double mean = static_cast<double>(words_of(3, titles, 1).size()) / titles;
  // The law's standard deviation is below 3.75 sqrt(2) + 1; 4.9 of the mean's have a rate of 1e-6.
  EXPECT_NEAR(mean, 2 + 3.75 * 2 - 0.5, 4.9 * 6.4 / std::sqrt(titles) + 0.05);
}

// Deterministic; the bounds say what "topic" means.
TEST(TitleWordsTest, TopicsHaveWordsOfTheirOwn) {
  const auto first = words_of(3, 300, 1);
  EXPECT_GT(share_known(words_of(3, 300, 2), first), 0.65);
  EXPECT_LT(share_known(words_of(4, 300, 2), first), 0.5);
}

TEST(TitleWordsTest, TitlesAreCapitalised) {
  const TitleWords words{Random(1)};
  Random random(1);
  const std::string title = words.draw_title(1, 2, random);
  EXPECT_TRUE(std::isupper(title[0]));
  EXPECT_NE(title.find(' '), std::string::npos);
}

TEST(TitleWordsTest, VenuesHaveTheirOwnNames) {
  const TitleWords words{Random(1)};
  EXPECT_EQ(words.venue(5), words.venue(5));
  std::set<std::string> names;
  for (std::uint32_t venue = 0; venue < 944; ++venue) names.insert(words.venue(venue));
  EXPECT_EQ(names.size(), 944u);
}

}  // namespace
}  // namespace fovea::linkage
