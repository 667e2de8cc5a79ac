// SPDX-License-Identifier: Apache-2.0
#include "fovea/feature/similarity/names.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

struct Case {
  const char *a, *b;
  NameAgreement agreement;
};

TEST(NamesTest, EveryClass) {
  using enum NameAgreement;
  constexpr Case kCases[] = {
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
  constexpr Case kCases[] = {
      {"J. P.", "Jean-Paul", kInitial},       {"Jean P.", "Jean-Paul", kInitial}, {"John", "John Q.", kPrefix},
      {"J", "John Quincy", kPrefix},          {"J. Q.", "John Adam", kConflict},  {"Jonh Q", "John Quincy", kOneEdit},
      {"John Adam", "Jane A.", kSameInitial},
  };
  for (const auto& [a, b, agreement] : kCases) {
    EXPECT_EQ(compare_given_names(a, b), agreement) << a << " " << b;
    EXPECT_EQ(compare_given_names(b, a), agreement) << b << " " << a;
  }
}

}  // namespace
}  // namespace fovea
