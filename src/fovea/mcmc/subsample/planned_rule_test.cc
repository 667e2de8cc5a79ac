// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/planned_rule.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"

namespace fovea::mcmc {
namespace {

/// A change with differences of mean 1 and a given spread, which records how it was read.
struct Recorded {
  std::size_t factors;
  double spread;
  mutable bool in_a_row = true;
  mutable std::size_t last = 0;

  std::size_t size() const { return factors; }
  double difference(std::size_t j) const {
    in_a_row = in_a_row && (j == 0 || j == last + 1);
    last = j;
    return 1 + (j % 2 == 0 ? spread : -spread);
  }
};
struct Bounded : Recorded {
  double bound() const { return 1 + spread; }
};
struct Grouped : Bounded {
  std::size_t cost = 2;
  GroupedSum grouped() const { return {.sum = static_cast<double>(factors), .lookups = 2}; }
  std::size_t grouped_cost() const { return cost; }
};

struct Dear : Recorded {
  double draw_cost() const { return 6; }
};

Decision decide(const char* exactness, const auto& change) {
  Random random(1);
  return PlannedRule(Exactness::parse(exactness)).decide(change, 0, random);
}

TEST(PlannedRuleTest, ReadsStatisticsWhereThereAreAny) {
  for (const char* exactness : {"exact", "bounded:0.1", "estimate"}) {
    EXPECT_EQ(decide(exactness, Grouped{{{1000, 0.1}}}).lookups, 2u) << exactness;
    EXPECT_EQ(decide(exactness, Grouped{{{1000, 0.1}}}).factors, 0u) << exactness;
  }
  EXPECT_EQ(decide("exact", Grouped{{{1000, 0.1}}, 1000}).lookups, 0u);
}

TEST(PlannedRuleTest, ExactIsAllFactorsOrABoundOnTheRest) {
  EXPECT_EQ(decide("exact", Recorded{1000, 0.1}).factors, 1000u);
  const std::size_t factors = decide("exact", Bounded{{1000, 0.1}}).factors;
  EXPECT_GT(factors, 500u);  // half of them could be -1.1
  EXPECT_LT(factors, 600u);
}

TEST(PlannedRuleTest, DrawsFewOfManyAndAllOfFew) {
  for (const char* exactness : {"bounded:0.1", "estimate"}) {
    EXPECT_LT(decide(exactness, Bounded{{1000, 0.1}}).factors, 40u) << exactness;
    EXPECT_LT(decide(exactness, Grouped{{{1000, 0.1}}, 1000}).factors, 40u) << exactness;
    EXPECT_EQ(decide(exactness, Recorded{8, 0.1}).factors, 8u) << exactness;
  }
}

TEST(PlannedRuleTest, DrawsTheFractionOrUntilTheIntervalIsNarrow) {
  EXPECT_EQ(decide("fraction:0.1", Recorded{1000, 0.1}).factors, 100u);
  EXPECT_EQ(decide("fraction:1", Recorded{1000, 0.1}).factors, 1000u);
  // 2 * 1.96 * 0.1 / sqrt(n) is below 0.05 from about n = 61 on.
  const std::size_t factors = decide("width:0.05", Recorded{100000, 0.1}).factors;
  EXPECT_GT(factors, 50u);
  EXPECT_LT(factors, 75u);
}

TEST(PlannedRuleTest, SaysHowItDecided) {
  Random random(1);
  const auto decided_by = [&](const char* exactness, const auto& change) {
    PlannedRule rule(Exactness::parse(exactness));
    rule.decide(change, 0, random);
    return rule.decided_by();
  };
  EXPECT_EQ(decided_by("exact", Recorded{1000, 0.1}), DecidedBy::kAllFactors);
  EXPECT_EQ(decided_by("exact", Bounded{{1000, 0.1}}), DecidedBy::kBounds);
  EXPECT_EQ(decided_by("exact", Grouped{{{1000, 0.1}}}), DecidedBy::kGroups);
  for (const char* exactness : {"fraction:0.1", "width:0.1", "bounded:0.1", "estimate"})
    EXPECT_EQ(decided_by(exactness, Recorded{1000, 0.1}), DecidedBy::kDraws) << exactness;
}

TEST(PlannedRuleTest, DrawsOnlyWhereThatIsCheaperThanAllFactorsInARow) {
  for (const char* exactness : {"bounded:0.1", "estimate"}) {
    EXPECT_EQ(decide(exactness, Dear{{40, 0.1}}).factors, 40u) << exactness;
    EXPECT_LT(decide(exactness, Dear{{800, 0.1}}).factors, 40u) << exactness;
    EXPECT_LT(decide(exactness, Recorded{40, 0.1}).factors, 40u) << exactness;
  }
}

TEST(PlannedRuleTest, LearnsWhereDrawsDoNotPay) {
  PlannedRule rule(Exactness::parse("bounded:0.01"));
  Random random(1);
  int drawn = 0;
  for (int proposal = 0; proposal < 400; ++proposal) {
    const Dear change{1000, 1000};
    rule.decide(change, -1000 - 3.0 * (proposal % 3), random);  // the sum lies close to the threshold
    drawn += !change.in_a_row;
  }
  EXPECT_GT(drawn, 0);
  EXPECT_LT(drawn, 20);
  // The forecast that was learnt is for changes of this size.
  const Dear smaller{300, 0.1};
  EXPECT_LT(rule.decide(smaller, 0, random).factors, 40u);
}

}  // namespace
}  // namespace fovea::mcmc
