// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/people_names.h"

#include <gtest/gtest.h>

#include <set>

namespace fovea::linkage {
namespace {

double share_of(const ZipfLaw& law, int rank) { return law.below(rank) - law.below(rank - 1); }

// The shares that the header states.
TEST(PeopleNamesTest, NamesAreAboutAsFrequentAsInTheCensus) {
  const PeopleNames names{Random(1)};
  EXPECT_NEAR(share_of(names.given_law(), 1), .041, .0005);
  EXPECT_NEAR(share_of(names.given_law(), 10), .017, .0005);
  EXPECT_NEAR(share_of(names.given_law(), 100), .0015, .00005);
  EXPECT_NEAR(share_of(names.surname_law(), 1), .0084, .00005);
  EXPECT_NEAR(share_of(names.surname_law(), 10), .0030, .00005);
  EXPECT_NEAR(share_of(names.surname_law(), 100), .0006, .00005);
}

TEST(PeopleNamesTest, AllSpellingsOfAKindDiffer) {
  const PeopleNames names{Random(1)};
  for (const Sex sex : {Sex::kFemale, Sex::kMale}) {
    std::set<std::string> given;
    for (std::uint32_t rank = 0; rank < PeopleNames::kGivenNames; ++rank) given.insert(names.given(sex, rank));
    EXPECT_EQ(given.size(), PeopleNames::kGivenNames);
  }
  std::set<std::string> surnames;
  for (std::uint32_t rank = 0; rank < PeopleNames::kSurnames; ++rank) surnames.insert(names.surname(rank));
  EXPECT_EQ(surnames.size(), PeopleNames::kSurnames);
  EXPECT_FALSE(surnames.contains(""));
}

TEST(PeopleNamesTest, FrequentNamesHaveNicknames) {
  const PeopleNames names{Random(1)};
  Random random(1);
  ASSERT_EQ(names.given(Sex::kMale, 4), "William");
  std::set<std::string_view> nicknames;
  for (int i = 0; i < 100; ++i) nicknames.insert(names.draw_nickname(Sex::kMale, 4, random));
  EXPECT_EQ(nicknames, (std::set<std::string_view>{"Bill", "Will"}));
  EXPECT_EQ(names.draw_nickname(Sex::kFemale, PeopleNames::kGivenNames - 1, random), "");
}

}  // namespace
}  // namespace fovea::linkage
