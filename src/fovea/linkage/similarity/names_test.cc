// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/names.h"

#include <gtest/gtest.h>

#include <string>

#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

struct NameCase {
  const char *a, *b;
  NameAgreement agreement;
};

TEST(NamesTest, EveryClass) {
  using enum NameAgreement;
  constexpr NameCase kCases[] = {
      {"John", "JOHN", kEqual},   {"José", "Jose", kEqual},       {"J.", "John", kInitial},
      {"É.", "Emile", kInitial},  {"Ш", "Шура", kInitial},        {"Rob", "Robert", kPrefix},
      {"Jo", "John", kPrefix},    {"Jonh", "John", kOneEdit},     {"Jon", "John", kOneEdit},
      {"Kate", "Cate", kOneEdit}, {"Al", "El", kConflict},        {"Jane", "John", kSameInitial},
      {"Jo", "Ja", kSameInitial}, {"Bill", "William", kConflict}, {"K", "John", kConflict},
      {"J", "K", kConflict},      {"", "John", kMissing},         {"", "", kMissing},
      {"-", "John", kMissing},
  };
  for (const auto& [a, b, agreement] : kCases) {
    EXPECT_EQ(compare_given_names(a, b), agreement) << a << " " << b;
    EXPECT_EQ(compare_given_names(b, a), agreement) << b << " " << a;
  }
}

TEST(NamesTest, TheWeakestWordDecides) {
  using enum NameAgreement;
  constexpr NameCase kCases[] = {
      {"J. P.", "Jean-Paul", kInitial},       {"Jean P.", "Jean-Paul", kInitial}, {"John", "John Q.", kPrefix},
      {"J", "John Quincy", kPrefix},          {"J. Q.", "John Adam", kConflict},  {"Jonh Q", "John Quincy", kOneEdit},
      {"John Adam", "Jane A.", kSameInitial},
  };
  for (const auto& [a, b, agreement] : kCases) {
    EXPECT_EQ(compare_given_names(a, b), agreement) << a << " " << b;
    EXPECT_EQ(compare_given_names(b, a), agreement) << b << " " << a;
  }
}

TEST(NamesTest, SplitsPersonNames) {
  const auto parts = [](std::string_view name) {
    const PersonName split = split_name(name);
    return std::string(split.surname) + "|" + std::string(split.given);
  };
  EXPECT_EQ(parts(" van der Berg , Jan K. "), "van der Berg|Jan K.");
  EXPECT_EQ(parts("Jan K. Berg"), "Berg|Jan K.");
  EXPECT_EQ(parts("Berg"), "Berg|");
  EXPECT_EQ(parts("Berg,"), "Berg|");
  EXPECT_EQ(parts("Smith, John, Jr."), "Smith|John, Jr.");
  EXPECT_EQ(parts(""), "|");
}

TEST(NamesTest, FamilyNamesAreTheLastWord) {
  EXPECT_EQ(family_name("Garcia-Smith Jr."), "smith");
  EXPECT_EQ(family_name("Daumé III"), "daume");
  EXPECT_EQ(family_name("Sr."), "sr");
  EXPECT_EQ(family_name("van der Berg"), "berg");
  EXPECT_EQ(family_name("-"), "");
}

TEST(NamesTest, TransliterationsAreOneSpelling) {
  EXPECT_EQ(transliterated("Schröder"), "schroder");
  EXPECT_EQ(transliterated("Schroeder"), "schroder");
  EXPECT_EQ(transliterated("Sarkisyan-Grinbaum"), "sarkisiangrinbaum");
  EXPECT_EQ(transliterated("Öhler"), transliterated("Oehler"));
  EXPECT_EQ(transliterated("Ye"), "ie");
  EXPECT_EQ(transliterated("?"), "");
}

}  // namespace

namespace {

using enum AuthorNameAgreement;

TEST(AuthorNamesTest, EveryClass) {
  struct ClassCase {
    const char *a, *b;
    AuthorNameAgreement agreement;
  };
  constexpr ClassCase kCases[] = {
      {"", "Ann", kMissing},
      {"Ann", "Eve", kConflict},
      {"A.", "Eve", kConflict},
      {"A. B.", "A. C.", kConflict},
      {"Ann Beth", "Ann Clare", kConflict},
      {"Ann Beth", "Ann Bella", kConflict},
      {"Chris", "Christopher", kSimilar},
      {"Kate B.", "Cate", kSimilar},
      {"A.", "A. B.", kInitialOpen},
      {"A.", "Ann Beth", kInitialOpen},
      {"A.", "A.", kInitial},
      {"A", "Ann", kInitial},
      {"É.", "Emile", kInitial},
      {"A. B.", "Ann Beth", kInitialMiddle},
      {"A.B.", "A. B. C.", kInitialMiddle},
      {"Ann", "Ann B.", kFirstOpen},
      {"Ann", "ANN", kFirst},
      {"Minseok", "Min-Seok", kFirst},
      {"Ann B.", "Ann Beth", kFirstMiddle},
      {"J.-P.", "Jean-Paul", kInitialMiddle},
  };
  for (const auto& [a, b, agreement] : kCases) {
    EXPECT_EQ(compare_author_names(tokens(a), tokens(b)), agreement) << a << ", " << b;
    EXPECT_EQ(compare_author_names(tokens(b), tokens(a)), agreement) << b << ", " << a;
  }
}

}  // namespace

}  // namespace fovea::linkage
