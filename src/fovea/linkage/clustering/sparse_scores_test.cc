// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/sparse_scores.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::linkage {
namespace {

TEST(SparseScoresTest, FindsWhatATableFinds) {
  constexpr std::uint32_t kValues = 30;
  Random random(1);
  std::map<std::pair<std::uint32_t, std::uint32_t>, float> table;
  std::vector<ValuePairScore> exceptions;
  for (std::uint32_t v = 0; v < kValues; ++v)
    for (std::uint32_t w = v; w < kValues; ++w) {
      if (!random.bernoulli(v == 7 ? 0.9 : 0.05)) continue;
      const auto score = static_cast<float>(random.normal());
      exceptions.push_back(random.bernoulli(0.5) ? ValuePairScore{v, w, score} : ValuePairScore{w, v, score});
      table[{v, w}] = table[{w, v}] = score;
    }
  const SparseScores scores(kValues, 0.5F, exceptions);
  std::size_t listed = 0;
  for (std::uint32_t v = 0; v < kValues; ++v) {
    listed += scores.exceptions(v).size();
    for (std::uint32_t w = 0; w < kValues; ++w) {
      const auto found = table.find({v, w});
      const double expected = found == table.end() ? 0.5 : double{found->second};
      EXPECT_NEAR(scores.default_score() + scores.excess(v, w), expected, 1e-6);
      EXPECT_LE(scores.least_excess(), scores.excess(v, w));
      EXPECT_GE(scores.most_excess(), scores.excess(v, w));
    }
  }
  EXPECT_EQ(listed, table.size());
}

TEST(SparseScoresTest, RefusesWhatIsNoTable) {
  const auto make = [](ValuePairScore first, ValuePairScore second) {
    SparseScores(3, 0, std::vector<ValuePairScore>{first, second});
  };
  EXPECT_NO_THROW(make({0, 1, 1}, {1, 1, 2}));
  EXPECT_THROW(make({0, 1, 1}, {1, 0, 2}), InternalError);
  EXPECT_THROW(make({0, 1, 1}, {1, 3, 2}), InternalError);
  EXPECT_THROW(make({0, 1, 1}, {1, 2, -std::numeric_limits<float>::infinity()}), InternalError);
}

}  // namespace
}  // namespace fovea::linkage
