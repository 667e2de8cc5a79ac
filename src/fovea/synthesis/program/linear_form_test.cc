// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/linear_form.h"

#include <gtest/gtest.h>

#include <array>

namespace fovea::synthesis {
namespace {

TEST(LinearForm, CollectsCoefficientsAndConstants) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger), y = terms.variable(2, Sort::kInteger);
  const TermId inner = terms.sum(std::array{x, terms.scaled(-3, y), terms.number(5)});
  const auto form = linear_form(terms, terms.sum(std::array{terms.scaled(2, inner), y}), 3);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->coefficients, (std::vector<std::int64_t>{2, 0, -5}));
  EXPECT_EQ(form->constant, 10);
}

TEST(LinearForm, IsNothingForConditions) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger);
  EXPECT_FALSE(linear_form(terms, terms.if_then_else(terms.less(x, x), x, terms.number(1)), 1));
}

}  // namespace
}  // namespace fovea::synthesis
