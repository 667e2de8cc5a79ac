// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/simplify/table_structure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fovea/base/log_math.h"

namespace fovea::graph::internal {
namespace {

/// Scores of x0 .. x3 (cardinalities 2, 3, 2, 4) that are g(x0, x1, x2) + h(x0, x2, x3), so x1 and x3 are independent.
std::vector<double> independent_table(std::mt19937& engine, double forbidden) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit;
  const auto draw = [&] { return unit(engine) < forbidden ? kImpossible : normal(engine); };
  std::vector<double> g(12), h(16), table;
  for (double& x : g) x = draw();
  for (double& x : h) x = draw();
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t d = 0; d < 4; ++d) table.push_back(g[(a * 3 + b) * 2 + c] + h[(a * 2 + c) * 4 + d]);
  return table;
}

constexpr std::size_t kShape[] = {2, 3, 2, 4};

TEST(TableStructure, splits_what_is_independent) {
  std::mt19937 engine(1);
  for (int times = 0; times < 50; ++times) {
    const std::vector<double> table = independent_table(engine, times % 2 ? .3 : 0);
    const TablePair pair = view_pair(table, kShape, 1, 3);
    const auto parts = split(pair);
    ASSERT_TRUE(parts);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::size_t a = i / 24, b = i / 8 % 3, c = i / 4 % 2, d = i % 4;
      EXPECT_EQ(pair.at(a, b, c, d, 0), table[i]);
      const double sum = parts->without_second[(a * 3 + b) * 2 + c] + parts->without_first[(a * 2 + c) * 4 + d];
      if (table[i] == kImpossible) EXPECT_EQ(sum, kImpossible);
      else EXPECT_NEAR(sum, table[i], 1e-12);
    }
  }
}

TEST(TableStructure, one_entry_makes_two_variables_dependent) {
  std::mt19937 engine(2);
  for (const double wrong : {1e-9, 1.0, kImpossible}) {
    std::vector<double> table = independent_table(engine, 0);
    table[17] += wrong;
    EXPECT_FALSE(split(view_pair(table, kShape, 1, 3)));
  }
}

TEST(TableStructure, rows_that_differ_by_a_constant) {
  const std::vector<double> table = {1, 2, kImpossible, 4, 5, kImpossible, 1, 3, kImpossible, 1, 2, 3};
  EXPECT_EQ(find_offset(table, 3, 4, 1, 0), 3);
  EXPECT_EQ(find_offset(table, 3, 4, 0, 1), -3);
  EXPECT_FALSE(find_offset(table, 3, 4, 0, 2));
  EXPECT_FALSE(find_offset(table, 3, 4, 0, 3));  // one of the two is impossible
  EXPECT_EQ(find_offset(table, 1, 3, 0, 0), 0);
  EXPECT_EQ(find_offset(std::vector<double>(4, kImpossible), 2, 2, 0, 1), 0);
}

}  // namespace
}  // namespace fovea::graph::internal
