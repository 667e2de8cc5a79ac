// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/token_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

TEST(TokenSetTest, TokensAreNumberedAndTheirTextsCounted) {
  TokenVocabulary vocabulary;
  EXPECT_THAT(vocabulary.add("the cat, the HAT"), ElementsAre(0, 1, 2));
  EXPECT_THAT(vocabulary.add("A hat? The hat!"), ElementsAre(0, 2, 3));
  EXPECT_THAT(vocabulary.add(""), ElementsAre());
  EXPECT_EQ(vocabulary.size(), 4u);
  EXPECT_EQ(vocabulary.text_count(), 3u);
  EXPECT_EQ(vocabulary.token(3), "a");
  EXPECT_EQ(vocabulary.text_count(0), 2u);
  EXPECT_EQ(vocabulary.text_count(1), 1u);
  EXPECT_THAT(vocabulary.inverse_document_frequencies(),
              ElementsAre(std::log(2.5), std::log(4), std::log(2.5), std::log(4)));
}

RC_GTEST_PROP(TokenSetTest, CommonTokensAreTheIntersection, ()) {
  const auto draw = [] {
    const auto ids = *rc::gen::container<TokenSet>(rc::gen::inRange<std::uint32_t>(0, 12));
    const std::set<std::uint32_t> sorted(ids.begin(), ids.end());
    return TokenSet(sorted.begin(), sorted.end());
  };
  const TokenSet a = draw(), b = draw();
  std::vector<std::uint32_t> expected, common;
  std::ranges::set_intersection(a, b, std::back_inserter(expected));
  for_each_common(TokenSetView(a), TokenSetView(b), [&](std::uint32_t token) { common.push_back(token); });
  RC_ASSERT(common == expected);
}

}  // namespace
}  // namespace fovea::linkage
