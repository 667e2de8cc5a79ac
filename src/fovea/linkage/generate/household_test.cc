// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/household.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

constexpr std::uint32_t kHouseholds = 30000;

class HouseholdTest : public ::testing::Test {
 protected:
  Random stream(std::uint32_t number) const { return Random(1).child("household", number); }
  Household draw(std::uint32_t number) const {
    Household household;
    writer_.draw(stream(number), household);
    return household;
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint32_t number = 0; number < kHouseholds; ++number) visit(draw(number));
  }

  const PeopleNames names_{Random(3)};
  const Places places_{Random(4)};
  const HouseholdWriter writer_{names_, places_};
};

/// Chi-square test of a share of which `yes` of `all` were drawn.
::testing::AssertionResult share_is(double share, std::uint64_t yes, std::uint64_t all) {
  const std::vector<std::uint64_t> counts = {yes, all - yes};
  const std::vector<double> law = {share, 1 - share};
  return testing::counts_follow(counts, law);
}

bool is_couple(const Household& h) { return h.members.size() > 1 && h.members[0].married != kNever; }
std::size_t adults_of(const Household& h) { return is_couple(h) ? 2 : 1; }

TEST_F(HouseholdTest, HasTheSharesThatAreMeasured) {
  std::uint64_t couples = 0, changed = 0, deliveries = 0, twins = 0, sons = 0, children = 0;
  for_each([&](const Household& h) {
    couples += is_couple(h);
    changed += is_couple(h) && h.members[0].new_surname == h.members[1].surname;
    std::set<Day> days;
    for (std::size_t m = adults_of(h); m < h.members.size(); ++m) {
      ++children;
      sons += h.members[m].sex == Sex::kMale;
      twins += !days.insert(h.members[m].born).second;
    }
    deliveries += days.size();
  });
  EXPECT_TRUE(share_is(0.79, changed, couples));
  EXPECT_TRUE(share_is(0.0158, twins, deliveries));
  EXPECT_TRUE(share_is(0.5, sons, children));
  EXPECT_TRUE(share_is(0.72 * 0.88, couples, kHouseholds));
}

TEST_F(HouseholdTest, ParentsAreOlderThanTheirChildrenAndNobodyIsBornInTheFuture) {
  for_each([&](const Household& h) {
    for (const Person& person : h.members) EXPECT_LE(person.born, kLastRecordDay);
    for (std::size_t m = adults_of(h); m < h.members.size(); ++m)
      EXPECT_GE(h.members[m].born - h.members[0].born, 16.9 * kDaysOfYear);
  });
}

TEST_F(HouseholdTest, ChildrenHaveTheSurnameOfTheFamilyAndGivenNamesOfTheirOwn) {
  std::size_t juniors = 0;
  for_each([&](const Household& h) {
    std::set<std::pair<Sex, std::uint32_t>> taken;
    for (std::size_t m = adults_of(h); m < h.members.size(); ++m) {
      EXPECT_EQ(h.members[m].surname, h.members[adults_of(h) - 1].surname);
      EXPECT_TRUE(taken.insert({h.members[m].sex, h.members[m].given}).second);
      juniors += is_couple(h) && h.members[m].sex == Sex::kMale && h.members[m].given == h.members[1].given;
    }
  });
  EXPECT_GT(juniors, 50u);
  EXPECT_LT(juniors, kHouseholds / 20);
}

TEST_F(HouseholdTest, WhoLivesTogetherHasOneDwelling) {
  for (std::uint32_t number = 0; number < 500; ++number) {
    const Household h = draw(number);
    std::set<std::uint32_t> landlines;
    for (std::size_t m = 0; m < h.members.size(); ++m)
      if (h.members[m].is_at_home(kLastRecordDay))
        landlines.insert(writer_.dwelling(h, stream(number), m, kLastRecordDay).landline);
    EXPECT_LE(landlines.size(), 1u);
  }
}

// P(no move in 20 years) = exp(-20 * .098).
TEST_F(HouseholdTest, HouseholdsMoveAsOftenAsIsMeasured) {
  std::uint64_t stayed = 0, all = 5000;
  for (std::uint32_t number = 0; number < all; ++number) {
    Household h = draw(number);
    h.members[0].home_from = kFirstRecordDay;
    const Random own = stream(number);
    stayed +=
        writer_.dwelling(h, own, 0, kFirstRecordDay).landline == writer_.dwelling(h, own, 0, kLastRecordDay).landline;
  }
  EXPECT_TRUE(share_is(std::exp(-0.098 * (kLastRecordDay - kFirstRecordDay) / kDaysOfYear), stayed, all));
}

TEST_F(HouseholdTest, WivesChangeTheirSurnameAndComeHomeOnOneDay) {
  for_each([&](const Household& h) {
    if (!is_couple(h)) return;
    const Person& wife = h.members[0];
    EXPECT_EQ(wife.home_from, wife.married);
    EXPECT_FALSE(wife.is_at_home(wife.married - 1));
    EXPECT_EQ(wife.surname_at(wife.married - 1), wife.surname);
    EXPECT_EQ(wife.surname_at(wife.married), wife.new_surname);
  });
}

}  // namespace
}  // namespace fovea::linkage
