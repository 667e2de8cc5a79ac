// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/term.h"

#include <gtest/gtest.h>

#include <array>

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

TEST(TermPool, HoldsEachTermOnce) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger), one = terms.number(1);
  EXPECT_EQ(terms.sum(std::array{x, one}), terms.sum(std::array{x, one}));
  EXPECT_NE(terms.sum(std::array{x, one}), terms.sum(std::array{one, x}));
  EXPECT_NE(terms.less(x, one), terms.at_most(x, one));
  EXPECT_NE(terms.variable(0, Sort::kBoolean), x);
}

TEST(TermPool, FoldsNumbersThatFit) {
  TermPool terms;
  EXPECT_EQ(terms.sum(std::array{terms.number(2), terms.number(3)}), terms.number(5));
  EXPECT_EQ(terms.scaled(-4, terms.number(3)), terms.number(-12));
  EXPECT_FALSE(terms.is_number(terms.scaled(4, terms.number(std::int64_t{1} << 62))));
}

TEST(TermPool, ListsSubTermsOperandsFirstAndEachOnce) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger), y = terms.variable(1, Sort::kInteger);
  const TermId same = terms.equal(x, y), both = terms.conjunction(std::array{same, terms.negation(same)});
  EXPECT_EQ(terms.sub_terms(std::array{both, same}).size(), 5u);
  EXPECT_EQ(terms.sub_terms(std::array{both}).back(), both);
  EXPECT_EQ(terms.written_size(both), 8u);
  EXPECT_EQ(terms.depth(both), 4u);
}

TEST(TermPool, RefusesWrongSorts) {
  TermPool terms;
  const TermId x = terms.variable(0, Sort::kInteger);
  EXPECT_THROW(terms.negation(x), InternalError);
  EXPECT_THROW(terms.equal(x, terms.truth(true)), InternalError);
}

}  // namespace
}  // namespace fovea::synthesis
