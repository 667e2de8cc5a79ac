// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/bound_cache.h"

#include <gtest/gtest.h>

namespace fovea::graph {
namespace {

TEST(BoundCache, remembers_and_updates) {
  BoundCache cache(1 << 20);
  const SubproblemKey key{.place = 5, .check = 7};
  EXPECT_EQ(cache.find(key), nullptr);
  cache.store(key, 2.5, false, 3);
  cache.store({.place = 5, .check = 8}, 1, true, 1);
  ASSERT_NE(cache.find(key), nullptr);
  EXPECT_EQ(cache.find(key)->bound, 2.5);
  EXPECT_FALSE(cache.find(key)->is_solved);
  cache.store(key, 1.5, true, 4);
  EXPECT_EQ(cache.find(key)->bound, 1.5);
  EXPECT_TRUE(cache.find(key)->is_solved);
  EXPECT_EQ(cache.find(key)->work, 7u);
  EXPECT_EQ(cache.find({.place = 5, .check = 9}), nullptr);
}

TEST(BoundCache, the_least_work_gives_way) {
  BoundCache cache(0);  // one set of four
  for (std::uint64_t i = 0; i < 4; ++i) cache.store({.place = i, .check = i}, 0, false, 10 - i);
  cache.store({.place = 9, .check = 9}, 0, false, 1);
  EXPECT_EQ(cache.find({.place = 3, .check = 3}), nullptr);
  EXPECT_NE(cache.find({.place = 0, .check = 0}), nullptr);
  EXPECT_NE(cache.find({.place = 9, .check = 9}), nullptr);
}

TEST(BoundCache, still_reads_the_generation_before_it_grew) {
  BoundCache cache(std::size_t{1} << 21);
  std::uint64_t stored = 0;
  for (; stored < 14'000; ++stored) cache.store({.place = stored, .check = stored}, 1, true, 1);
  std::uint64_t known = 0;
  for (std::uint64_t i = 0; i < stored; ++i) known += cache.find({.place = i, .check = i}) != nullptr;
  EXPECT_EQ(known, stored);
}

}  // namespace
}  // namespace fovea::graph
