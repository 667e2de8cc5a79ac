// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/name_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "tests/support/statistics.h"

namespace fovea::linkage {
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
