// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fovea/base/parallel.h"

namespace fovea {

/// A forest whose nodes are visited on several threads, children before parents or the other way round. Subtrees of
/// little work are visited by one thread each.
class TaskForest {
 public:
  static constexpr std::uint32_t kNoParent = ~std::uint32_t{0};

  /// parents: [node], kNoParent for roots; a node has a smaller number than its parent. work: [node], in any unit;
  /// `grain`: work that is worth a task.
  TaskForest(std::span<const std::uint32_t> parents, std::span<const double> work, double grain)
      : batches_of_(parents.size() + 1), heavy_children_of_(parents.size() + 1), owner_(parents.size()) {
    std::vector<double> subtree(work.begin(), work.end());
    for (std::uint32_t node = 0; node < parents.size(); ++node)
      if (parents[node] != kNoParent) subtree[parents[node]] += subtree[node];
    const auto none = static_cast<std::uint32_t>(parents.size());  // stands above the roots
    std::vector<std::uint32_t> batch(parents.size(), kHeavy);      // [node]
    std::vector<double> batch_work;
    for (std::uint32_t node = none; node-- > 0;) {
      const std::uint32_t above = parents[node] == kNoParent ? none : parents[node];
      owner_[node] = above;
      if (subtree[node] >= grain) {
        heavy_children_of_[above].push_back(node);
        continue;
      }
      if (above != none && batch[above] != kHeavy) {
        batch[node] = batch[above];
      } else {
        std::vector<std::uint32_t>& mine = batches_of_[above];
        if (mine.empty() || batch_work[mine.back()] >= grain) {
          mine.push_back(static_cast<std::uint32_t>(batches_.size()));
          batches_.push_back({.owner = above});
          batch_work.push_back(0);
        }
        batch[node] = mine.back();
        batch_work[mine.back()] += subtree[node];
      }
      batches_[batch[node]].nodes.push_back(node);
    }
    for (std::uint32_t node = 0; node < parents.size(); ++node)
      if (batch[node] == kHeavy && batches_of_[node].empty() && heavy_children_of_[node].empty())
        heavy_leaves_.push_back(node);
  }

  /// Calls visit(node) for every node after its children, on up to `threads` threads (0: all cores). An exception ends
  /// the visits that have not begun, and is rethrown.
  template <class Visit>
  void visit_upward(int threads, const Visit& visit) const {
    const std::size_t count = owner_.size();
    if (resolve_threads(threads) == 1) {
      for (std::size_t node = 0; node < count; ++node) visit(node);
      return;
    }
    std::unique_ptr<std::atomic<std::size_t>[]> pending(new std::atomic<std::size_t>[count + 1]);
    for (std::size_t node = 0; node <= count; ++node)
      pending[node] = batches_of_[node].size() + heavy_children_of_[node].size();
    // The thread that finishes the last child of a node goes on with it.
    const auto finish = [&](std::uint32_t node) {
      while (--pending[node] == 0 && node != count) {
        visit(node);
        node = owner_[node];
      }
    };
    const auto climb = [&](std::uint32_t node) {
      visit(node);
      finish(owner_[node]);
    };
    const auto visit_batch = [&](const Batch& batch) {
      for (auto node = batch.nodes.rbegin(); node != batch.nodes.rend(); ++node) visit(*node);
      finish(batch.owner);
    };
    run(threads, [&](tbb::task_group& group) {
      for (const std::uint32_t leaf : heavy_leaves_) group.run([&climb, leaf] { climb(leaf); });
      for (const Batch& batch : batches_) group.run([&visit_batch, at = &batch] { visit_batch(*at); });
    });
  }

  /// The same for every node before its children.
  template <class Visit>
  void visit_downward(int threads, const Visit& visit) const {
    const std::size_t count = owner_.size();
    if (resolve_threads(threads) == 1) {
      for (std::size_t node = count; node-- > 0;) visit(node);
      return;
    }
    run(threads, [&](tbb::task_group& group) { descend(static_cast<std::uint32_t>(count), group, visit); });
  }

 private:
  static constexpr std::uint32_t kHeavy = ~std::uint32_t{0};

  /// Light subtrees below one node, visited by one task.
  struct Batch {
    std::uint32_t owner;
    std::vector<std::uint32_t> nodes = {};  ///< parents before children
  };

  template <class Start>
  static void run(int threads, const Start& start) {
    internal::in_arena(threads, [&] {
      tbb::task_group group;
      start(group);
      group.wait();
    });
  }

  template <class Visit>
  void descend(std::uint32_t above, tbb::task_group& group, const Visit& visit) const {
    for (const std::uint32_t node : heavy_children_of_[above])
      group.run([&, node] {
        visit(node);
        descend(node, group, visit);
      });
    for (const std::uint32_t b : batches_of_[above])
      group.run([&, b] {
        for (const std::uint32_t node : batches_[b].nodes) visit(node);
      });
  }

  std::vector<Batch> batches_;
  std::vector<std::vector<std::uint32_t>> batches_of_;         // [node; last: above the roots] their numbers
  std::vector<std::vector<std::uint32_t>> heavy_children_of_;  // likewise
  std::vector<std::uint32_t> heavy_leaves_;                    // without any children
  std::vector<std::uint32_t> owner_;                           // [node]: its parent, or the number of nodes
};

}  // namespace fovea
