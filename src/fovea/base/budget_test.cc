// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea {
namespace {

TEST(BudgetTest, NothingGivenIsNoLimit) {
  EXPECT_EQ(parse_budget(""), Budget{});
  EXPECT_EQ(Budget{}.transition_limit(10), Budget::kUnlimited);
  EXPECT_EQ(budget_text({}), "");
  EXPECT_EQ(time_limit_text({}), "");
}

TEST(BudgetTest, ReadsEveryCountUnit) {
  EXPECT_EQ(parse_budget("1.5 sweeps"), Budget{.sweeps = 1.5});
  EXPECT_EQ(parse_budget("1 sweep"), Budget{.sweeps = 1});
  EXPECT_EQ(parse_budget("0sweeps"), Budget{.sweeps = 0});
  EXPECT_EQ(parse_budget("2e6transitions"), Budget{.transitions = 2e6});
  EXPECT_EQ(parse_budget(" 100 factors / item "), (Budget{.factors = 100, .per_item = true}));
  EXPECT_EQ(parse_budget("3oracle-calls/item"), (Budget{.oracle_calls = 3, .per_item = true}));
}

TEST(BudgetTest, ReadsEveryTimeUnit) {
  EXPECT_EQ(parse_budget("", "10s"), Budget{.seconds = 10});
  EXPECT_EQ(parse_budget("", "2ms/item"), (Budget{.seconds = 0.002, .seconds_per_item = true}));
  EXPECT_EQ(parse_budget("", "500 us"), Budget{.seconds = 0.0005});
  EXPECT_EQ(parse_budget("", "1min/item"), (Budget{.seconds = 60, .seconds_per_item = true}));
  EXPECT_EQ(parse_budget("2 sweeps", "1s"), (Budget{.sweeps = 2, .seconds = 1}));
}

TEST(BudgetTest, RefusalsNameOptionTextAndWhatIsAllowed) {
  for (const char* text : {"1.5", "sweeps", "1.5 sweps", "-1 sweeps", "nan sweeps", "inf sweeps", "1e999 sweeps",
                           "0x10 sweeps", "1 sweeps/token", "1 sweeps/item/item", "1 2 sweeps", "1,5 sweeps", " "})
    EXPECT_THAT(message_of<UsageError>([&] { parse_budget(text); }),
                AllOf(HasSubstr("option 'budget' '" + std::string(text) + "'"), HasSubstr("oracle-calls")))
        << text;
  for (const char* text : {"10", "s", "10 h", "-1s", "10s/token", "infs"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_budget("", text); }),
                AllOf(HasSubstr("option 'time-limit' '" + std::string(text) + "'"), HasSubstr("us, ms, s or min")))
        << text;
  EXPECT_THAT(message_of<UsageError>([&] { parse_budget("", "0s"); }), HasSubstr("must be positive"));
}

TEST(BudgetTest, RefusalsTellTheOptionThatFits) {
  EXPECT_THAT(message_of<UsageError>([&] { parse_budget("2ms/item"); }), HasSubstr("option 'time-limit'"));
  EXPECT_THAT(message_of<UsageError>([&] { parse_budget("", "2 sweeps"); }), HasSubstr("by option 'budget'"));
}

TEST(BudgetTest, WritesTimesInTheUnitOfTheirSize) {
  EXPECT_EQ(time_limit_text(parse_budget("", "2ms/item")), "2ms/item");
  EXPECT_EQ(time_limit_text(parse_budget("", "500us")), "500us");
  EXPECT_EQ(time_limit_text(parse_budget("", "2min")), "120s");
  EXPECT_EQ(budget_text(parse_budget("1.5sweeps/item")), "1.5 sweeps/item");
}

RC_GTEST_PROP(BudgetTest, TextsAreReadBackAsTheSameLimits, ()) {
  static constexpr std::array kLimits = {&Budget::sweeps, &Budget::transitions, &Budget::factors,
                                         &Budget::oracle_calls};
  Budget budget;
  const auto positive = [] { return *rc::gen::positive<int>() / static_cast<double>(*rc::gen::inRange(1, 1000000)); };
  budget.*(kLimits[*rc::gen::inRange<std::size_t>(0, 4)]) = positive();
  budget.per_item = *rc::gen::arbitrary<bool>();
  budget.seconds = positive();
  budget.seconds_per_item = *rc::gen::arbitrary<bool>();
  RC_ASSERT(parse_budget(budget_text(budget), time_limit_text(budget)) == budget);
}

TEST(BudgetTest, IsExhaustedByWhicheverCountEndsFirst) {
  const Budget sweeps = {.sweeps = 1.5};
  EXPECT_EQ(sweeps.transition_limit(10), 15);
  EXPECT_FALSE(sweeps.exhausted_by({.transitions = 14, .factors = 1000}, 10));
  EXPECT_TRUE(sweeps.exhausted_by({.transitions = 15}, 10));
  EXPECT_TRUE((Budget{.transitions = 3, .factors = 20}).exhausted_by({.transitions = 1, .factors = 20}, 10));
  EXPECT_TRUE(Budget{.oracle_calls = 2}.exhausted_by({.oracle_calls = 2}, 10));
  EXPECT_FALSE(Budget{}.exhausted_by({.transitions = 1u << 30}, 10));
}

}  // namespace
}  // namespace fovea
