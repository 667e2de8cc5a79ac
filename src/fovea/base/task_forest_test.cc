// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/task_forest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>

namespace fovea {
namespace {

struct Forest {
  std::vector<std::uint32_t> parents;
  std::vector<double> work;
};

Forest random_forest() {
  Forest forest;
  const auto size = *rc::gen::inRange<std::uint32_t>(0, 60);
  for (std::uint32_t node = 0; node < size; ++node) {
    const auto parent = *rc::gen::inRange<std::uint32_t>(node + 1, size + 1);
    forest.parents.push_back(parent == size ? TaskForest::kNoParent : parent);
    forest.work.push_back(*rc::gen::inRange(1, 10));
  }
  return forest;
}

RC_GTEST_PROP(TaskForestTest, VisitsEveryNodeOnceInOrder, ()) {
  const Forest forest = random_forest();
  const TaskForest tasks(forest.parents, forest.work, *rc::gen::element(0., 1., 15., 1e9));
  for (const bool is_upward : {true, false})
    for (int threads : {1, 4}) {
      std::atomic<int> clock = 0;
      std::vector<int> visited(forest.parents.size(), -1);
      std::atomic<int> twice = 0;
      const auto visit = [&](std::size_t node) {
        twice += visited[node] != -1;
        visited[node] = clock++;
      };
      if (is_upward) tasks.visit_upward(threads, visit);
      else tasks.visit_downward(threads, visit);
      RC_ASSERT(twice == 0 && clock == static_cast<int>(visited.size()));
      for (std::size_t node = 0; node < visited.size(); ++node)
        if (const std::uint32_t parent = forest.parents[node]; parent != TaskForest::kNoParent)
          RC_ASSERT((visited[node] < visited[parent]) == is_upward);
    }
}

TEST(TaskForestTest, RethrowsAndLeavesTheRest) {
  const std::vector<std::uint32_t> parents = {1, 2, TaskForest::kNoParent};
  const std::vector<double> work(3, 1);
  for (const double grain : {1., 10.}) {
    std::vector<char> visited(3);
    EXPECT_THROW(TaskForest(parents, work, grain)
                     .visit_upward(2,
                                   [&](std::size_t node) {
                                     visited[node] = 1;
                                     if (node == 1) throw std::runtime_error("no");
                                   }),
                 std::runtime_error);
    EXPECT_EQ(visited, (std::vector<char>{1, 1, 0}));
  }
}

}  // namespace
}  // namespace fovea
