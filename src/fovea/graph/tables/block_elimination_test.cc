// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/block_elimination.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fovea/base/random.h"

namespace fovea::graph {
namespace {

using Place = BlockElimination::Place;

/// Five places in a tree of bags: 0 - 1, {0, 1} - 2, {1} - 3, {1, 2} - 4; random tables, of which copies are kept.
struct Block {
  BlockElimination elimination;
  std::vector<std::size_t> cardinalities = {2, 3, 2, 4, 2};
  std::vector<std::vector<Place>> parents = {{}, {0}, {0, 1}, {1}, {1, 2}};
  std::vector<std::vector<double>> tables = {};

  explicit Block(std::uint64_t seed, double forbidden = 0) {
    Random random(seed);
    elimination.clear();
    for (std::size_t p = 0; p < parents.size(); ++p) {
      EXPECT_TRUE(elimination.fits(parents[p]));
      EXPECT_EQ(elimination.add(cardinalities[p], parents[p]), p);
      std::vector<std::size_t> strides(parents[p].size() + 1, 1);
      for (std::size_t d = parents[p].size(), stride = cardinalities[p]; d-- > 0;) {
        strides[d] = stride;
        stride *= cardinalities[parents[p][d]];
      }
      std::size_t entries = cardinalities[p];
      for (const Place parent : parents[p]) entries *= cardinalities[parent];
      tables.emplace_back();
      for (std::size_t i = 0; i < entries; ++i)
        tables.back().push_back(random.bernoulli(forbidden) ? -INFINITY : random.normal());
      elimination.add_scores(static_cast<Place>(p), tables.back().data(), strides, -INFINITY);
    }
  }

  double score(const Assignment& y) const {
    double sum = 0;
    for (std::size_t p = 0; p < parents.size(); ++p) {
      std::size_t index = 0;
      for (const Place parent : parents[p]) index = index * cardinalities[parent] + y[parent];
      sum += tables[p][index * cardinalities[p] + y[p]];
    }
    return sum;
  }

  /// For every value of `place`, what `combine` makes of the scores of all assignments that agree with y before it.
  std::vector<double> reduced(Place place, Assignment y, const std::function<double(double, double)>& combine) const {
    std::vector<double> row(cardinalities[place], -INFINITY);
    const std::function<void(std::size_t)> visit = [&](std::size_t p) {
      if (p == y.size()) {
        row[y[place]] = combine(row[y[place]], score(y));
        return;
      }
      for (y[p] = 0; y[p] < cardinalities[p]; ++y[p]) visit(p + 1);
    };
    visit(place);
    return row;
  }
};

double larger(double a, double b) { return std::max(a, b); }
double log_add(double a, double b) { return std::isinf(b) ? a : std::isinf(a) ? b : a + std::log1p(std::exp(b - a)); }

/// Rows differ from brute force by what the places before contribute: the same for all values.
void expect_rows(const Block& block, const std::function<double(double, double)>& combine) {
  const Assignment y = {1, 2, 1, 3, 0};
  for (Place p = 0; p < 5; ++p) {
    const std::vector<double> expected = block.reduced(p, y, combine);
    const std::span<const double> row = block.elimination.row(p, y);
    ASSERT_EQ(row.size(), expected.size());
    double shift = NAN;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (std::isinf(expected[k])) continue;
      if (std::isnan(shift)) shift = expected[k] - row[k];
      EXPECT_NEAR(row[k] + shift, expected[k], 1e-12) << p << " " << k;
    }
    if (p == 0) {
      EXPECT_NEAR(shift, 0, 1e-12);
    }
  }
}

TEST(BlockEliminationTest, RowsAgreeWithEnumeration) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Block best(seed), sum(seed);
    best.elimination.eliminate_by_maximum();
    expect_rows(best, larger);
    sum.elimination.eliminate_by_sum();
    expect_rows(sum, log_add);
  }
}

TEST(BlockEliminationTest, HardConstraintsRuleValuesOut) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Block block(seed, .3);
    block.elimination.eliminate_by_sum();
    const std::vector<double> expected = block.reduced(0, Assignment(5, 0), log_add);
    for (std::size_t k = 0; k < 2; ++k) {
      const double found = block.elimination.row(0, {})[k];
      if (std::isinf(expected[k])) {
        EXPECT_EQ(found, expected[k]);
      } else {
        EXPECT_NEAR(found, expected[k], 1e-12);
      }
    }
  }
}

TEST(BlockEliminationTest, RefusesParentsThatShareNoBag) {
  const Block block(1);
  EXPECT_FALSE(block.elimination.fits(std::vector<Place>{0, 3}));
  EXPECT_FALSE(block.elimination.fits(std::vector<Place>{2, 3}));
  EXPECT_TRUE(block.elimination.fits(std::vector<Place>{1, 3}));
  EXPECT_TRUE(block.elimination.fits(std::vector<Place>{1, 2, 4}));
}

TEST(BlockEliminationTest, ScalesAndForgets) {
  BlockElimination block;
  block.add(2, {});
  const std::vector<double> scores = {1, -INFINITY};
  block.add_scores(0, scores.data(), std::vector<std::size_t>{1}, -7);
  block.scale(0, 2);
  EXPECT_EQ(block.row(0, {})[0], 2);
  EXPECT_EQ(block.row(0, {})[1], -14);
  block.forget_scores();
  EXPECT_EQ(block.row(0, {})[1], 0);
}

}  // namespace
}  // namespace fovea::graph
