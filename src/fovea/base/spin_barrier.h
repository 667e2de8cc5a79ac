// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace fovea {

/// Waits until is_done(), which another thread will soon make true: spins for a while before it lets others run.
template <class IsDone>
void spin_until(const IsDone& is_done) {
  constexpr int kSpins = 20000;  // about as long as a thread takes to be scheduled
  for (int spins = 0; !is_done();) {
    if (spins < kSpins) ++spins;
    else std::this_thread::yield();
  }
}

/// Barrier at which a fixed number of threads wait for each other many times a millisecond. What a thread wrote before
/// wait() is visible to all after it.
class SpinBarrier {
 public:
  explicit SpinBarrier(std::uint32_t threads) : threads_(threads) {}

  void wait() {
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    spin_until([&] { return round_.load(std::memory_order_acquire) != round; });
  }

 private:
  const std::uint32_t threads_;
  alignas(64) std::atomic<std::uint32_t> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
};

}  // namespace fovea
