// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/disjoint_sets.h"

#include <gtest/gtest.h>

#include <vector>

#include "fovea/base/random.h"

namespace fovea {
namespace {

TEST(DisjointSetsTest, SetsKeepTheRepresentativeOfTheFirst) {
  DisjointSets sets(5);
  sets.unite(3, 1);
  sets.unite(1, 4);
  EXPECT_EQ(sets.representatives(), (std::vector<std::uint32_t>{0, 3, 2, 3, 3}));
  EXPECT_EQ(sets.find(4), 3u);
}

TEST(DisjointSetsTest, AgreeWithRelabelling) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    constexpr std::uint32_t kSize = 30;
    DisjointSets sets(kSize);
    std::vector<std::uint32_t> labels(kSize);
    for (std::uint32_t i = 0; i < kSize; ++i) labels[i] = i;
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t a = random.uniform_index(kSize), b = random.uniform_index(kSize), from = labels[b];
      sets.unite(a, b);
      for (std::uint32_t& label : labels)
        if (label == from) label = labels[a];
    }
    for (std::uint32_t a = 0; a < kSize; ++a)
      for (std::uint32_t b = 0; b < kSize; ++b) ASSERT_EQ(sets.find(a) == sets.find(b), labels[a] == labels[b]);
  }
}

}  // namespace
}  // namespace fovea
