// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "fovea/base/parallel.h"
#include "fovea/base/spin_barrier.h"

namespace fovea {

/// A member's view of threads that run the same rounds and meet after each of them, many times a millisecond.
class Team {
 public:
  Team(std::size_t member, std::size_t size, SpinBarrier& barrier) : member_(member), size_(size), barrier_(&barrier) {}

  /// This member's part of [begin, end): shares are disjoint and cover it.
  std::pair<std::size_t, std::size_t> share(std::size_t begin, std::size_t end) const {
    const std::size_t count = end - begin;
    return {begin + count * member_ / size_, begin + count * (member_ + 1) / size_};
  }

  /// Waits for the others.
  void meet() const {
    if (size_ > 1) barrier_->wait();
  }

 private:
  std::size_t member_, size_;
  SpinBarrier* barrier_;
};

/// Calls body(team) once on each of up to `threads` threads (0 = all cores), of which there are at most `most`. All
/// must meet equally often. `body` must not throw.
template <class Body>
void run_in_team(std::size_t most, int threads, const Body& body) {
  const std::size_t size = std::max<std::size_t>(1, std::min(static_cast<std::size_t>(resolve_threads(threads)), most));
  SpinBarrier barrier(static_cast<std::uint32_t>(size));
  std::vector<std::jthread> others;
  for (std::size_t member = 1; member < size; ++member)
    others.emplace_back([&body, &barrier, member, size] { body(Team(member, size, barrier)); });
  body(Team(0, size, barrier));
}

}  // namespace fovea
