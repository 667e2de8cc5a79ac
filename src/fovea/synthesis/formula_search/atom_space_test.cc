// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/atom_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/synthesis/formula_search/formula_state.h"
#include "tests/support/expect_error.h"
#include "tests/support/statistics.h"

namespace fovea::synthesis {
namespace {

AtomChoice rich_choice() {
  return {.variables = 2,
          .coefficient_range = 2,
          .bounds = {4, -1, 0, 4},
          .forms = {{3, -5}},
          .octagons = true,
          .equations = true};
}

TEST(AtomSpaceTest, NumbersEveryComparisonOnce) {
  const AtomSpace space(rich_choice());
  EXPECT_EQ(space.choice().bounds, (std::vector<std::int64_t>{-1, 0, 4}));
  // 5 x 5 forms of the box; 8 octagons and a form of ours with three relations each.
  EXPECT_EQ(space.size(), 3u * (25 + 3 * 9));
  EXPECT_EQ(space.lines(), 25u + 3 * 9);
}

TEST(AtomSpaceTest, FormulasHoldWhereTheirComparisonsDo) {
  const AtomSpace space(rich_choice());
  for (std::uint64_t number = 0; number < space.size(); ++number) {
    const std::vector<std::vector<std::uint64_t>> alone = {{number}}, pair = {{number, (number + 40) % space.size()}};
    for (std::int64_t x = -2; x <= 2; ++x)
      for (std::int64_t y = -2; y <= 2; ++y) {
        const std::vector<std::int64_t> row = {x, y};
        ASSERT_EQ(space.formula(alone).holds(row), space.holds(number, row)) << number;
        ASSERT_EQ(space.formula(pair).holds(row), space.holds(number, row) && space.holds(pair[0][1], row)) << number;
      }
  }
}

TEST(AtomSpaceTest, VisitsTheValueOfEveryForm) {
  const AtomSpace space(rich_choice());
  const std::vector<std::int64_t> row = {7, -100};
  std::uint64_t next = 0;
  space.visit_forms(row, [&](std::uint64_t line, std::int64_t value) {
    std::vector<std::int64_t> form(2);
    space.read_form(line, form);
    EXPECT_EQ(line, next++);
    EXPECT_EQ(value, form[0] * row[0] + form[1] * row[1]);
  });
  EXPECT_EQ(next, space.lines());
}

TEST(AtomSpaceTest, DrawsByShareAndUniformlyWithinAFamily) {
  AtomChoice choice = {.variables = 1, .bounds = {0, 1}, .forms = {{1}}, .equations = true, .template_share = .25};
  const AtomSpace space(choice);
  std::vector<double> law(6, .75 / 6);
  law.resize(12, .25 / 6);
  Random random(1);
  EXPECT_TRUE(testing::draws_follow(law, 20000, [&] {
    std::vector<std::uint32_t> digits(space.most_places());
    const FormulaState::Slot slot = draw_comparison(space, digits.data(), random);
    std::uint64_t number = space.families()[slot.family].first;
    for (std::size_t p = 0; p < space.families()[slot.family].places.size(); ++p)
      number += digits[p] * space.families()[slot.family].places[p].stride;
    EXPECT_EQ(number, slot.number);
    return static_cast<std::size_t>(slot.number);
  }));
}

TEST(AtomSpaceTest, IsExactForRowsThatAreNotSafe) {
  const AtomSpace space({.variables = 2, .coefficient_range = 2, .bounds = {0}});
  const std::vector<std::int64_t> huge = {std::numeric_limits<std::int64_t>::max(), 1}, tame = {1 << 30, -5};
  EXPECT_FALSE(space.is_safe(huge));
  EXPECT_TRUE(space.is_safe(tame));
}

std::string refusal(AtomChoice choice) {
  return message_of<UsageError>([&] { AtomSpace{std::move(choice)}; });
}

TEST(AtomSpaceTest, RefusesWhatMakesNoSpace) {
  EXPECT_THAT(refusal({.variables = 0}), HasSubstr("variable"));
  EXPECT_THAT(refusal({.variables = 1, .bounds = {}}), HasSubstr("0 bounds"));
  EXPECT_THAT(refusal({.variables = 1, .bounds = {std::int64_t{1} << 62}}), HasSubstr("2^61"));
  EXPECT_THAT(refusal({.variables = 1, .coefficient_range = 16}), HasSubstr("coefficient range 16"));
  EXPECT_THAT(refusal({.variables = 1, .coefficient_range = 0}), HasSubstr("no comparisons"));
  EXPECT_THAT(refusal({.variables = 1, .equations = true}), HasSubstr("equations need forms"));
  EXPECT_THAT(refusal({.variables = 1, .template_share = 1.5}), HasSubstr("share of templates 1.5"));
  EXPECT_THAT(refusal({.variables = 40}), HasSubstr("40 variables"));
  EXPECT_THAT(refusal({.variables = 2, .forms = {{1}}}), HasSubstr("1 coefficients for 2 variables"));
}

}  // namespace
}  // namespace fovea::synthesis
