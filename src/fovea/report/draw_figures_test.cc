// SPDX-License-Identifier: Apache-2.0
#include "fovea/report/draw_figures.h"

#include <gtest/gtest.h>

#include <limits>

namespace fovea::report {
namespace {

TEST(DrawFiguresTest, ChainsThatAgreeHaveTheSameRanks) {
  std::vector<double> even, odd;
  for (int i = 0; i < 400; ++i) (i % 2 == 0 ? even : odd).push_back(i);
  for (const Json& counts : ranks_of({even, odd}))
    for (const Json& count : counts) EXPECT_EQ(count, 10);
}

TEST(DrawFiguresTest, ChainsApartHaveRanksApart) {
  const std::vector<double> low(100, 1), high(100, 2);
  const Json ranks = ranks_of({low, high});
  EXPECT_EQ(ranks[0][5], 100);
  EXPECT_EQ(ranks[1][15], 100);
}

TEST(DrawFiguresTest, CountsFewValuesAndIntervalsOfMany) {
  const std::vector<double> few = {0, 1, 1, 2}, constant(5, 3.5);
  EXPECT_EQ(values_of({few}), Json::parse("[[0,1],[1,2],[2,1]]"));
  EXPECT_EQ(values_of({constant}), Json::parse("[[3.5,5]]"));
  std::vector<double> many;
  for (int i = 0; i <= 3000; ++i) many.push_back(i / 100.0);
  const Json values = values_of({many});
  ASSERT_EQ(values.size(), 30u);
  EXPECT_EQ(values[0], Json::parse("[0.5,100]"));
}

TEST(DrawFiguresTest, RangesMayBeWiderThanANumber) {
  std::vector<double> draws;
  for (int i = -50; i <= 50; ++i) draws.push_back(i * 3e306);
  const Json values = values_of({draws});
  std::size_t count = 0;
  for (const Json& value : values) count += value[1].get<std::size_t>();
  EXPECT_EQ(count, draws.size());
  EXPECT_GT(values[0][1], 0);
  EXPECT_GT(values[29][1], 0);
}

TEST(DrawFiguresTest, LeavesOutWhatIsNotFinite) {
  const std::vector<double> draws = {1, std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(values_of({draws}), Json::parse("[[1,1]]"));
  EXPECT_TRUE(trace_of(draws, 1)[1].is_null());
  EXPECT_TRUE(values_of({}).empty());
}

}  // namespace
}  // namespace fovea::report
