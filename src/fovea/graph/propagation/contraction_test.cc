// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/contraction.h"

#include <gtest/gtest.h>

#include <random>

#include "fovea/base/log_math.h"
#include "fovea/base/run_control.h"

namespace fovea::graph {
namespace {

/// A table with a vector per variable, and the sum over all variables but one, term by term.
struct Problem {
  std::vector<std::uint32_t> cardinalities;
  std::vector<double> table;
  std::vector<std::vector<double>> vectors;

  Problem(std::vector<std::uint32_t> shape, std::uint32_t seed) : cardinalities(std::move(shape)) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> weight(0.1, 1);
    std::size_t size = 1;
    for (const std::uint32_t cardinality : cardinalities) {
      size *= cardinality;
      vectors.emplace_back(cardinality);
      for (double& x : vectors.back()) x = weight(engine);
    }
    for (std::size_t i = 0; i < size; ++i) table.push_back(weight(engine));
  }

  std::vector<const double*> pointers() const {
    std::vector<const double*> result;
    for (const std::vector<double>& vector : vectors) result.push_back(vector.data());
    return result;
  }

  template <class Semiring>
  std::vector<double> contract(std::size_t keep) const {
    std::vector<double> sums(cardinalities[keep]);
    Contraction<Semiring>().run(table, cardinalities, pointers(), keep, sums.data());
    return sums;
  }

  template <class Semiring>
  std::vector<double> sum_term_by_term(std::size_t keep) const {
    std::vector<double> sums(cardinalities[keep], Semiring::kZero);
    for (std::size_t i = 0; i < table.size(); ++i) {
      double term = table[i];
      std::size_t rest = i, kept = 0;
      for (std::size_t j = cardinalities.size(); j-- > 0; rest /= cardinalities[j]) {
        const std::size_t x = rest % cardinalities[j];
        if (j == keep) kept = x;
        else term = Semiring::times(term, vectors[j][x]);
      }
      sums[kept] = Semiring::plus(sums[kept], term);
    }
    return sums;
  }
};

template <class Semiring>
void expect_equals_sum_term_by_term(const Problem& problem) {
  for (std::size_t keep = 0; keep < problem.cardinalities.size(); ++keep) {
    const std::vector<double> sums = problem.contract<Semiring>(keep);
    const std::vector<double> expected = problem.sum_term_by_term<Semiring>(keep);
    for (std::size_t k = 0; k < sums.size(); ++k) EXPECT_NEAR(sums[k], expected[k], 1e-9 * std::abs(expected[k]));
  }
}

TEST(ContractionTest, EqualsTheSumTermByTermForAllShapesAndSemirings) {
  const std::vector<std::vector<std::uint32_t>> shapes = {
      {3},        {1},       {2, 2},    {5, 5},       {9, 10},     {10, 3},         {3, 10},       {1, 4},
      {12, 1, 1}, {2, 3, 4}, {6, 7, 8}, {1, 1, 9, 1}, {11, 2, 10}, {2, 2, 2, 2, 2}, {3, 1, 3, 12}, {4, 9, 2, 3}};
  std::uint32_t seed = 0;
  for (const std::vector<std::uint32_t>& shape : shapes) {
    const Problem problem(shape, ++seed);
    expect_equals_sum_term_by_term<MaxPlus>(problem);
    expect_equals_sum_term_by_term<SumProduct>(problem);
    expect_equals_sum_term_by_term<LogSumExp>(problem);
  }
}

TEST(ContractionTest, LargeTablesAreSummedInBlocks) {
  expect_equals_sum_term_by_term<SumProduct>(Problem({40, 160, 100}, 1));
  expect_equals_sum_term_by_term<MaxPlus>(Problem({3, 300000}, 2));
}

TEST(ContractionTest, LogSumExpKeepsWhatUnderflowsLinearly) {
  Problem problem({2, 2}, 1);
  problem.table = {-2000, -2000, -kInfinity, -kInfinity};
  problem.vectors[1] = {0, -kInfinity};
  EXPECT_EQ(problem.contract<LogSumExp>(0), (std::vector<double>{-2000, -kInfinity}));
}

TEST(ContractionTest, StopsWithinLargeTables) {
  CancelToken cancel;
  cancel.cancel();
  const Problem large({3, 300000}, 2), small({3, 3}, 3);
  Contraction<MaxPlus> contraction;
  std::vector<double> sums(300000);
  EXPECT_FALSE(
      contraction.run(large.table, large.cardinalities, large.pointers(), 1, sums.data(), {.cancel = &cancel}));
  EXPECT_FALSE(
      contraction.run(large.table, large.cardinalities, large.pointers(), 0, sums.data(), {.cancel = &cancel}));
  EXPECT_TRUE(contraction.run(small.table, small.cardinalities, small.pointers(), 0, sums.data(), {.cancel = &cancel}));
}

}  // namespace
}  // namespace fovea::graph
