// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/made_up_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

TEST(ZipfLawTest, DrawsFollowTheLaw) {
  for (const double exponent : {0.75, 0.84, 1.75, 2.5}) {
    const ZipfLaw law(exponent, 12);
    std::vector<double> probabilities;
    for (int r = 0; r < 12; ++r) probabilities.push_back(law.below(r + 1) - law.below(r));
    Random random(1);
    EXPECT_TRUE(testing::draws_follow(probabilities, 20000, [&] { return law.draw(random); })) << exponent;
  }
}

TEST(ZipfLawTest, FallsAsThePowerOfTheRank) {
  const ZipfLaw law(0.84, 28218);
  EXPECT_DOUBLE_EQ(law.below(0), 0);
  EXPECT_DOUBLE_EQ(law.below(28218), 1);
  const auto share = [&](double r) { return law.below(r + 1) - law.below(r); };
  EXPECT_NEAR(share(1000) / share(10000), std::pow(10, 0.84), 0.01);
}

TEST(ZipfLawTest, OneRankIsCertain) {
  Random random(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ZipfLaw(0.84, 1).draw(random), 0u);
}

}  // namespace

namespace {

std::string words_of(std::uint64_t language) {
  const Syllables syllables{Random(language)};
  Random random(7);
  std::string text;
  for (int i = 0; i < 100; ++i) syllables.append(1 + i % 3, random, text += ' ');
  return text;
}

TEST(SyllablesTest, WordsAreLowerCaseAndOfTheirLength) {
  const std::string text = words_of(1);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || (c >= 'a' && c <= 'z'); }));
  const auto is_vowel = [](char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; };
  EXPECT_EQ(std::count_if(text.begin(), text.end(), is_vowel), 34 * 1 + 33 * 2 + 33 * 3);
}

TEST(SyllablesTest, LanguagesDiffer) {
  EXPECT_EQ(words_of(1), words_of(1));
  EXPECT_NE(words_of(1), words_of(2));
}

}  // namespace

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

// 51,077 people, as in the Anthology. The mixture of cultures nearly follows the law; the tolerance says how nearly.
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

namespace {

TEST(NameWriterTest, StylesWriteFirstNames) {
  Random random(1);
  EXPECT_EQ(written_first_name("Ana", 'B', {.initials = false, .middle = false}, random), "Ana");
  EXPECT_EQ(written_first_name("Ana", 'B', {.initials = false, .middle = true}, random), "Ana B");
  EXPECT_EQ(written_first_name("Ana", 'B', {.initials = true, .middle = false}, random), "A");
  EXPECT_EQ(written_first_name("Ana", 'B', {.initials = true, .middle = true}, random), "A B");
  EXPECT_EQ(written_first_name("Ana", '\0', {.initials = false, .middle = true}, random), "Ana");
}

TEST(NameWriterTest, StylesHaveTheirShares) {
  Random random(1);
  const std::array shares = {.53 * .5, .53 * .5, .47 * .5, .47 * .5};
  EXPECT_TRUE(testing::draws_follow(shares, 20000, [&] {
    const NameStyle style = NameStyle::draw(random);
    return 2u * style.initials + style.middle;
  }));
}

TEST(NameWriterTest, ErrorsAreAsFrequentAsStated) {
  Random random(1);
  // A substitution draws the letter that was there one time in 26.
  const double visible = kTypoRate * (1 - 1 / (4 * 26.0));
  EXPECT_TRUE(testing::draws_follow(std::array{1 - visible, visible}, 200000,
                                    [&] { return std::size_t{typed("Lodumar", random) != "Lodumar"}; }));
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(typed("Lo", random), "Lo");
}

TEST(NameWriterTest, AnErrorIsOneOfFourKinds) {
  Random random(1);
  const std::string name = "Lodumar";
  std::set<std::string> kinds;
  for (int i = 0; i < 20000; ++i) {
    const std::string wrong = typed(name, random);
    if (wrong == name) continue;
    EXPECT_TRUE(std::isupper(wrong[0]));
    EXPECT_TRUE(std::all_of(wrong.begin() + 1, wrong.end(), [](char c) { return std::islower(c); })) << wrong;
    const auto lower = [](std::string s) { return s[0] = static_cast<char>(std::tolower(s[0])), s; };
    const std::string a = lower(name), b = lower(wrong);
    const std::size_t at =
        static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    if (b.size() == a.size() + 1 && b.substr(at + 1) == a.substr(at)) kinds.insert("insertion");
    else if (b.size() + 1 == a.size() && b.substr(at) == a.substr(at + 1)) kinds.insert("deletion");
    else if (b.size() == a.size() && b.substr(at + 1) == a.substr(at + 1)) kinds.insert("substitution");
    else if (b[at] == a[at + 1] && b[at + 1] == a[at] && b.substr(at + 2) == a.substr(at + 2))
      kinds.insert("transposition");
    else ADD_FAILURE() << wrong;
  }
  EXPECT_EQ(kinds.size(), 4u);
}

}  // namespace

}  // namespace fovea::linkage
