// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/agreement_patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <map>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

using Levels = std::vector<Level>;
using Counts = std::map<Levels, double>;

Counts counts_of(const AgreementPatterns& patterns) {
  Counts counts;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto levels = patterns.levels(i);
    EXPECT_TRUE(counts.emplace(Levels(levels.begin(), levels.end()), patterns.count(i)).second) << "not merged";
  }
  return counts;
}

TEST(AgreementPatterns, StartsEmpty) {
  const AgreementPatterns patterns({3, 2});
  EXPECT_EQ(patterns.size(), 0u);
  EXPECT_EQ(patterns.total(), 0);
}

RC_GTEST_PROP(AgreementPatterns, CountAsAMapDoes, ()) {
  const auto pairs = *rc::gen::container<std::vector<Levels>>(
      rc::gen::container<Levels>(20, rc::gen::inRange<Level>(0, 2)));  // longer than a short string
  AgreementPatterns patterns(std::vector<std::size_t>(20, 2));
  Counts expected;
  for (const Levels& levels : pairs) {
    patterns.add(levels, 2);
    expected[levels] += 2;
  }
  RC_ASSERT(counts_of(patterns) == expected);
  RC_ASSERT(patterns.total() == 2.0 * static_cast<double>(pairs.size()));
}

TEST(AgreementPatterns, KeepTheOrderOfFirstAppearance) {
  AgreementPatterns patterns({300, 2});
  patterns.add(Levels{299, 1});
  patterns.add(Levels{43, 1});  // the same lower byte
  patterns.add(Levels{299, 1}, .5);
  ASSERT_EQ(patterns.size(), 2u);
  EXPECT_THAT(patterns.levels(0), ::testing::ElementsAre(299, 1));
  EXPECT_THAT(patterns.levels(1), ::testing::ElementsAre(43, 1));
  EXPECT_EQ(patterns.count(0), 1.5);
}

TEST(AgreementPatterns, CopiesAreIndependent) {
  AgreementPatterns patterns({3});
  patterns.add(Levels{1});
  AgreementPatterns copy = patterns;
  copy.add(Levels{1});
  copy.add(Levels{2});
  EXPECT_EQ(counts_of(patterns), (Counts{{{1}, 1}}));
  EXPECT_EQ(counts_of(copy), (Counts{{{1}, 2}, {{2}, 1}}));
}

TEST(AgreementPatterns, MergeAndLeaveComparisonsOut) {
  AgreementPatterns a({3, 3}), b({3, 3});
  a.add(Levels{1, 2});
  a.add(Levels{2, 2}, 3);
  b.add(Levels{2, 2});
  b.add(Levels{2, 1});
  a.add(b);
  EXPECT_EQ(counts_of(a), (Counts{{{1, 2}, 1}, {{2, 2}, 4}, {{2, 1}, 1}}));
  EXPECT_EQ(counts_of(a.without(std::vector<std::size_t>{0})), (Counts{{{0, 2}, 5}, {{0, 1}, 1}}));
  EXPECT_EQ(counts_of(a.without({})), counts_of(a));
}

TEST(AgreementPatterns, MisuseIsABug) {
  EXPECT_THROW(AgreementPatterns({}), InternalError);
  EXPECT_THROW(AgreementPatterns({1}), InternalError);
  EXPECT_THROW(AgreementPatterns({kMaxLevels + 1}), InternalError);
  AgreementPatterns patterns({3, 3});
  EXPECT_THROW(patterns.add(Levels{1}), InternalError);
  EXPECT_THROW(patterns.add(Levels{1, 3}), InternalError);
  EXPECT_THROW(patterns.add(Levels{1, 2}, -1), InternalError);
  EXPECT_THROW(patterns.add(Levels{1, 2}, std::numeric_limits<double>::infinity()), InternalError);
  EXPECT_THROW(patterns.add(AgreementPatterns({3})), InternalError);
  EXPECT_THROW(patterns.add(patterns), InternalError);
  EXPECT_THROW(patterns.without(std::vector<std::size_t>{2}), InternalError);
  EXPECT_EQ(patterns.total(), 0);
}

}  // namespace
}  // namespace fovea::linkage
