// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/made_up_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fovea::linkage {
namespace {

TEST(MadeUpNamesTest, RanksOfOneCultureHaveTheirOwnSpellings) {
  const MadeUpNames names(1, Random(1));
  Random random(1);
  std::map<std::string, std::uint32_t> rank_of;
  for (int i = 0; i < 5000; ++i) {
    const auto name = names.draw(0, random);
    EXPECT_EQ(rank_of.try_emplace(names.surname(name), name.surname).first->second, name.surname);
  }
}

TEST(MadeUpNamesTest, NamesAreCapitalised) {
  const MadeUpNames names(1, Random(1));
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const auto name = names.draw(names.draw_culture(random), random);
    for (const std::string& word : {names.surname(name), names.first(name)}) {
      ASSERT_GE(word.size(), 2u);
      EXPECT_TRUE(std::isupper(word[0]));
      for (const char letter : word.substr(1)) EXPECT_TRUE(std::islower(letter)) << word;
    }
  }
}

TEST(MadeUpNamesTest, KeysTellNamesApart) {
  const MadeUpNames::Name names[] = {{0, 1, 2}, {0, 2, 1}, {1, 1, 2}, {7, 1, 2}, {0, 1, 3}};
  std::set<std::uint64_t> keys;
  for (const auto& name : names) keys.insert(name.key());
  EXPECT_EQ(keys.size(), 5u);
}

// Draws from one culture share a surname more often than draws from two.
TEST(MadeUpNamesTest, NamesOfACultureGoTogether) {
  const MadeUpNames names(1, Random(1));
  Random random(1);
  int same = 0, different = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string surname = names.surname(names.draw(0, random));
    same += surname == names.surname(names.draw(0, random));
    different += surname == names.surname(names.draw(5, random));
  }
  EXPECT_GT(same, 10 * different);
  EXPECT_GT(same, 100);
}

/// Least squares of log frequency on log rank over the 3,000 most frequent, as the Anthology's exponents were fitted.
double zipf_exponent(const std::map<std::string, double>& counts) {
  std::vector<double> ordered;
  for (const auto& [word, count] : counts) ordered.push_back(count);
  std::sort(ordered.rbegin(), ordered.rend());
  constexpr int kRanks = 3000;
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int rank = 0; rank < kRanks; ++rank) {
    const double log_rank = std::log(rank + 1), log_count = std::log(ordered[static_cast<std::size_t>(rank)]);
    x += log_rank, y += log_count, xx += log_rank * log_rank, xy += log_rank * log_count;
  }
  return -(xy - x * y / kRanks) / (xx - x * x / kRanks);
}

// 51,077 people, as in the Anthology. The mixture of cultures follows the law nearly; the tolerance says how nearly.
TEST(MadeUpNamesTest, FrequenciesFallByZipfsLaw) {
  const MadeUpNames names(1, Random(1));
  Random random(1);
  std::map<std::string, double> surnames, first_names;
  for (int i = 0; i < 51077; ++i) {
    const auto name = names.draw(names.draw_culture(random), random);
    ++surnames[names.surname(name)], ++first_names[names.first(name)];
  }
  EXPECT_NEAR(zipf_exponent(surnames), 0.84, 0.08);
  EXPECT_NEAR(zipf_exponent(first_names), 0.75, 0.08);
}

TEST(MadeUpNamesTest, LargerCorporaHaveMoreNames) {
  const auto distinct = [](double scale) {
    const MadeUpNames names(scale, Random(1));
    Random random(1);
    std::set<std::string> seen;
    for (int i = 0; i < 20000; ++i) seen.insert(names.surname(names.draw(3, random)));
    return seen.size();
  };
  EXPECT_EQ(distinct(0.1), distinct(1));
  EXPECT_GT(distinct(5), distinct(1) * 3 / 2);
}

}  // namespace
}  // namespace fovea::linkage
