// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/token_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

namespace fovea::linkage {
namespace {

using ::testing::ElementsAre;

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

TEST(TokenSetTest, KnownValues) {
  const TokenSet a = {0, 1, 2}, b = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(jaccard(a, b), 2. / 5);
  EXPECT_DOUBLE_EQ(overlap_coefficient(a, b), 2. / 3);
  const std::vector<double> weights = {3, 2, 1, 2, 4};
  EXPECT_DOUBLE_EQ(weighted_cosine(a, b, weights), (4 + 1) / std::sqrt((9 + 4 + 1) * (4 + 1 + 4 + 16)));
}

TEST(TokenSetTest, EmptySetsAreEqualToEachOtherAlone) {
  const TokenSet none, one = {0};
  const std::vector<double> weights = {1};
  const auto all = [&](TokenSetView a, TokenSetView b) {
    return std::vector{jaccard(a, b), overlap_coefficient(a, b), weighted_cosine(a, b, weights)};
  };
  EXPECT_THAT(all(none, none), ElementsAre(1, 1, 1));
  EXPECT_THAT(all(none, one), ElementsAre(0, 0, 0));
  EXPECT_THAT(all(one, none), ElementsAre(0, 0, 0));
  EXPECT_THAT(all(one, one), ElementsAre(1, 1, 1));
}

RC_GTEST_PROP(TokenSetTest, AgreesWithDenseVectors, ()) {
  constexpr std::uint32_t kTokens = 12;
  const auto draw = [] {
    const auto ids = *rc::gen::nonEmpty(rc::gen::container<TokenSet>(rc::gen::inRange<std::uint32_t>(0, kTokens)));
    return std::set<std::uint32_t>(ids.begin(), ids.end());
  };
  const std::set<std::uint32_t> a = draw(), b = draw();
  double dot = 0, norm_a = 0, norm_b = 0, in_both = 0, in_any = 0;
  std::vector<double> weights;
  for (std::uint32_t id = 0; id < kTokens; ++id) {
    weights.push_back(*rc::gen::inRange(1, 100) / 10.0);
    const double x = static_cast<double>(a.count(id)) * weights[id], y = static_cast<double>(b.count(id)) * weights[id];
    dot += x * y;
    norm_a += x * x;
    norm_b += y * y;
    in_both += x > 0 && y > 0;
    in_any += x > 0 || y > 0;
  }
  const TokenSet left(a.begin(), a.end()), right(b.begin(), b.end());
  RC_ASSERT(std::abs(weighted_cosine(left, right, weights) - dot / std::sqrt(norm_a * norm_b)) < 1e-12);
  RC_ASSERT(std::abs(jaccard(left, right) - in_both / in_any) < 1e-12);
  const auto smaller = static_cast<double>(std::min(a.size(), b.size()));
  RC_ASSERT(std::abs(overlap_coefficient(left, right) - in_both / smaller) < 1e-12);
}

}  // namespace
}  // namespace fovea::linkage
