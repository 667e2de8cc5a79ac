// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "fovea/base/parallel.h"
#include "fovea/base/spin_barrier.h"

namespace fovea {

/// How many rounds a member of a team has announced.
struct alignas(64) TeamProgress {
  std::atomic<std::uint64_t> rounds{0};
};

/// A member's view of threads that run the same rounds, many times a millisecond, and meet after each of them, or wait
/// only for the members beside them.
class Team {
 public:
  Team(std::size_t member, SpinBarrier& barrier, std::vector<TeamProgress>& progress)
      : member_(member), size_(progress.size()), barrier_(&barrier), progress_(progress.data()) {}

  /// This member's part of [begin, end): shares are disjoint and cover it.
  std::pair<std::size_t, std::size_t> share(std::size_t begin, std::size_t end) const {
    const std::size_t count = end - begin;
    return {begin + count * member_ / size_, begin + count * (member_ + 1) / size_};
  }

  /// Waits for all others.
  void meet() const {
    if (size_ > 1) barrier_->wait();
  }

  /// Tells that the edges of this member's share are done in the first `rounds` rounds.
  void announce(std::uint64_t rounds) const { progress_[member_].rounds.store(rounds, std::memory_order_release); }
  /// Waits until the members whose shares touch this one's, the first and the last among them, have announced as many
  /// rounds; what they wrote before is visible then.
  void await_neighbours(std::uint64_t rounds) const {
    for (const std::size_t other : {(member_ + 1) % size_, (member_ + size_ - 1) % size_})
      if (other != member_)
        spin_until([&] { return progress_[other].rounds.load(std::memory_order_acquire) >= rounds; });
  }

 private:
  std::size_t member_, size_;
  SpinBarrier* barrier_;
  TeamProgress* progress_;
};

/// Calls body(team) once on each of up to `threads` threads (0 = all cores), of which there are at most `most`. All
/// must meet equally often. `body` must not throw.
template <class Body>
void run_in_team(std::size_t most, int threads, const Body& body) {
  const std::size_t size = std::max<std::size_t>(1, std::min(static_cast<std::size_t>(resolve_threads(threads)), most));
  SpinBarrier barrier(static_cast<std::uint32_t>(size));
  std::vector<TeamProgress> progress(size);
  std::vector<std::jthread> others;
  for (std::size_t member = 1; member < size; ++member)
    others.emplace_back([&body, &barrier, &progress, member] { body(Team(member, barrier, progress)); });
  body(Team(0, barrier, progress));
}

}  // namespace fovea
