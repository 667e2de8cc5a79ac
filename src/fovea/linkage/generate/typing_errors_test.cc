// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/typing_errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <numeric>
#include <string>

#include "fovea/base/string_distance.h"

namespace fovea::linkage {
namespace {

TEST(MistypedTest, MostMistakesAreOneEdit) {
  Random random(1);
  const int draws = 10000;
  std::map<unsigned, int> edits;
  for (int i = 0; i < draws; ++i) ++edits[static_cast<unsigned>(damerau("Thompson", mistyped("Thompson", random), 9))];
  EXPECT_GT(edits[1], 0.85 * draws);
  EXPECT_LT(edits[0], 0.08 * draws);  // swaps of equal letters and double mistakes that undo each other
  EXPECT_GT(edits[2], 0.02 * draws);
  EXPECT_LT(edits[2], 0.12 * draws);
}

TEST(MistypedTest, EveryKindOfMistakeOccurs) {
  Random random(1);
  std::map<std::string, int> drawn;
  for (int i = 0; i < 20000; ++i) ++drawn[mistyped("Philip", random)];
  EXPECT_GT(drawn["Phlip"], 0) << "left out";
  EXPECT_GT(drawn["Phillip"], 0) << "doubled";
  EXPECT_GT(drawn["Phikip"], 0) << "a neighbour";
  EXPECT_GT(drawn["Phylip"], 0) << "sounds alike";
  EXPECT_GT(drawn["Phliip"], 0) << "swapped";
}

TEST(MistypedTest, CapitalsStayAtTheBeginningsOfWords) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::string street = mistyped("Mill Lane", random), email = mistyped("anna.b@mail.example", random);
    EXPECT_EQ(street[0], static_cast<char>(std::toupper(street[0])));
    EXPECT_EQ(std::ranges::count_if(street, [](unsigned char c) { return std::isupper(c); }), 2) << street;
    EXPECT_TRUE(std::ranges::none_of(email, [](unsigned char c) { return std::isupper(c); })) << email;
  }
}

TEST(MistypedTest, ShortTextsAreAllowed) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(mistyped("", random), "");
    EXPECT_EQ(mistyped("A", random), "A");
    EXPECT_LE(mistyped("Al", random).size(), 4u);
  }
}

TEST(MisreadDigitsTest, OneDigitChangesAndNothingElse) {
  Random random(1);
  int swaps = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string right = "(02017) 345678", wrong = misread_digits(right, random);
    ASSERT_EQ(wrong.size(), right.size());
    for (std::size_t at = 0; at < right.size(); ++at)
      EXPECT_EQ(std::isdigit(static_cast<unsigned char>(wrong[at])),
                std::isdigit(static_cast<unsigned char>(right[at])));
    const auto differing = std::inner_product(right.begin(), right.end(), wrong.begin(), 0, std::plus<>(),
                                              [](char a, char b) { return static_cast<int>(a != b); });
    EXPECT_TRUE(differing == 1 || differing == 2) << wrong;
    swaps += differing == 2;
  }
  EXPECT_GT(swaps, 400);
  EXPECT_LT(swaps, 1000);
  EXPECT_EQ(misread_digits("none", random), "none");
}

}  // namespace
}  // namespace fovea::linkage
