// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "fovea/base/parallel.h"
#include "fovea/base/spin_barrier.h"

namespace fovea {

/// Number of rounds that a member of a team has announced.
struct alignas(64) TeamProgress {
  std::atomic<std::uint64_t> rounds{0};
};

/// A member's view of a team of threads. They run the same rounds, many a millisecond, and after each round either all
/// meet, or each waits only for its neighbours.
class ThreadTeam {
 public:
  /// `progress`: [member].
  ThreadTeam(std::size_t member, std::size_t size, SpinBarrier& barrier, TeamProgress* progress)
      : member_(member), size_(size), barrier_(&barrier), progress_(progress) {}

  /// This member's part of [begin, end): shares are disjoint and cover the range.
  std::pair<std::size_t, std::size_t> share(std::size_t begin, std::size_t end) const {
    const std::size_t count = end - begin;
    return {begin + count * member_ / size_, begin + count * (member_ + 1) / size_};
  }

  /// Calls body(begin, end) for this member's share of [0, count). To predict what more threads would take, a team of
  /// one runs chunks of `grain` instead, as tasks of the clock.
  template <class Body>
  void for_share(std::size_t count, std::size_t grain, const Body& body) const {
    if (size_ == 1 && TaskClock::active) {
      const std::size_t chunks = (count + grain - 1) / grain;
      return TaskClock::active->run(chunks, [&](std::size_t c) { body(c * grain, std::min(count, (c + 1) * grain)); });
    }
    const auto [begin, end] = share(0, count);
    if (begin < end) body(begin, end);
  }

  /// The same, by all but the one that leads, who has something else to do; a team of one does both.
  template <class Body>
  void for_share_of_others(std::size_t count, std::size_t grain, const Body& body) const {
    if (size_ == 1) return for_share(count, grain, body);
    if (leads()) return;
    const std::size_t others = size_ - 1, at = member_ - 1;
    const std::size_t begin = count * at / others, end = count * (at + 1) / others;
    if (begin < end) body(begin, end);
  }

  /// True for the one that does what is not shared.
  bool leads() const { return member_ == 0; }

  /// Waits for all others.
  void meet() const {
    if (size_ > 1) barrier_->wait();
  }

  /// Announces that the edges of this member's share are done for the first `rounds` rounds.
  void announce(std::uint64_t rounds) const { progress_[member_].rounds.store(rounds, std::memory_order_release); }
  /// Waits until the members whose shares touch this one's have announced `rounds` rounds; the first share and the last
  /// touch, too. What those members wrote before is then visible.
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

/// Calls body(team) once on each of up to `threads` threads (0 = all cores), but at most `most`, and on fewer if the
/// system gives no more. All members must meet equally often. `body` must not throw.
template <class Body>
void run_in_team(std::size_t most, int threads, const Body& body) {
  const std::size_t size = std::max<std::size_t>(1, std::min(static_cast<std::size_t>(resolve_threads(threads)), most));
  std::vector<TeamProgress> progress(size);
  std::optional<SpinBarrier> barrier;  // made once the number of members is known
  std::atomic<std::size_t> members = 0;
  std::vector<std::jthread> others;
  others.reserve(size);
  try {
    while (others.size() + 1 < size)
      others.emplace_back([&, member = others.size() + 1] {
        members.wait(0, std::memory_order_acquire);
        body(ThreadTeam(member, members, *barrier, progress.data()));
      });
  } catch (const std::system_error&) {  // go on with the threads that there are
  }
  barrier.emplace(static_cast<std::uint32_t>(others.size() + 1));
  members.store(others.size() + 1, std::memory_order_release);
  members.notify_all();
  body(ThreadTeam(0, others.size() + 1, *barrier, progress.data()));
}

}  // namespace fovea
