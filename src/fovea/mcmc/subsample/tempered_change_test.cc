// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/subsample/tempered_change.h"

#include <gtest/gtest.h>

namespace fovea::mcmc {
namespace {

struct Plain {
  std::size_t size() const { return 3; }
  double difference(std::size_t j) const { return static_cast<double>(j) - 2; }
};
struct Rich : Plain {
  std::size_t vanishing() const { return 2; }
  double bound() const { return 2; }
  GroupedSum grouped() const { return {.sum = -3, .factors = 4, .lookups = 5}; }
  std::size_t grouped_cost() const { return 6; }
  double draw_cost() const { return 7; }
};

TEST(TemperedChangeTest, DividesScoresByTheTemperature) {
  const TemperedChange change(Rich(), 4);
  EXPECT_EQ(change.size(), 3u);
  EXPECT_EQ(change.vanishing(), 2u);
  EXPECT_EQ(change.difference(0), -0.5);
  EXPECT_EQ(change.sum({1, 3}), -0.25);
  EXPECT_EQ(change.bound(), 0.5);
  EXPECT_EQ(change.grouped().sum, -0.75);
  EXPECT_EQ(change.grouped().factors, 4u);
  EXPECT_EQ(change.grouped().lookups, 5u);
  EXPECT_EQ(change.grouped_cost(), 6u);
  EXPECT_EQ(change.draw_cost(), 7);
}

TEST(TemperedChangeTest, KnowsNoMoreThanTheChange) {
  using Tempered = TemperedChange<Plain>;
  static_assert(FactorChange<Tempered> && !StratifiedChange<Tempered>);
  static_assert(!BoundedChange<Tempered> && !GroupedChange<Tempered> && !DrawnChange<Tempered>);
  EXPECT_EQ(Tempered(Plain(), 2).sum({0, 3}), -1.5);
}

}  // namespace
}  // namespace fovea::mcmc
