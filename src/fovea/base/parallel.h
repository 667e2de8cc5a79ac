// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "fovea/base/task_clock.h"

namespace fovea {

/// The number of threads to use for a request of `threads` (0 = all cores).
inline int resolve_threads(int threads) { return threads > 0 ? threads : tbb::info::default_concurrency(); }

/// True if work is to be cut for several threads: if there are several, or to predict what they would take.
inline bool is_shared(int threads) { return resolve_threads(threads) > 1 || TaskClock::active; }

namespace internal {

/// The exception of the first chunk that throws, first in the order of chunks and not of time: errors, too, do not
/// depend on threads.
class FirstError {
 public:
  /// Runs work() unless an earlier chunk has failed.
  template <class Work>
  void attempt(std::size_t chunk, const Work& work) {
    if (chunk > failed_.load(std::memory_order_relaxed)) return;
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (chunk >= failed_) return;
      failed_ = chunk;
      error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<std::size_t> failed_{static_cast<std::size_t>(-1)};
  std::mutex mutex_;
  std::exception_ptr error_;
};

/// Calls task(i) for i = 0 .. count - 1 on this thread.
template <class Task>
void run_alone(std::size_t count, const Task& task) {
  if (TaskClock::active) return TaskClock::active->run(count, task);
  for (std::size_t i = 0; i < count; ++i) task(i);
}

/// Calls work() where up to `threads` threads (0: all cores) share its tasks. Within such a task, these are the threads
/// that share the task already: while one waits it takes any task of theirs, so that none idles.
template <class Work>
void in_arena(int threads, const Work& work) {
  // oneTBB warns on standard error where there are fewer cores than threads.
  const int size = std::min(resolve_threads(threads), resolve_threads(0));
  if (tbb::this_task_arena::max_concurrency() == size) return work();
  tbb::task_arena(size).execute(work);
}

}  // namespace internal

/// Calls body(begin, end) over disjoint chunks that cover [0, count), on up to `threads` threads (0 = all).
/// Chunk bounds are multiples of `grain` and depend only on count and grain. Any thread may run any chunk, so the body
/// must write only to what its chunk owns. Then results do not depend on the number of threads. If chunks throw, the
/// exception of the first of them is rethrown; chunks after it may not have run.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, int threads, const Body& body) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t chunks = (count + grain - 1) / grain;
  const auto run_chunk = [&](std::size_t c) { body(c * grain, std::min(count, (c + 1) * grain)); };
  if (resolve_threads(threads) == 1 || chunks <= 1) {
    internal::run_alone(chunks, run_chunk);
    return;
  }
  internal::FirstError error;
  internal::in_arena(threads, [&] {
    tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t c) { error.attempt(c, [&] { run_chunk(c); }); });
  });
  error.rethrow();
}

/// Calls body(i) for i = 0 .. count - 1, on up to `threads` threads (0 = all), which take the next one whenever they
/// are free: for tasks of very different size, of which the largest should come first. Otherwise like parallel_for.
template <class Body>
void parallel_in_order(std::size_t count, int threads, const Body& body) {
  const auto takers = std::min(count, static_cast<std::size_t>(resolve_threads(threads)));
  if (takers <= 1) return internal::run_alone(count, body);
  std::atomic<std::size_t> next = 0;
  internal::FirstError error;
  internal::in_arena(threads, [&] {
    tbb::parallel_for(std::size_t{0}, takers, [&](std::size_t) {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;)
        error.attempt(i, [&] { body(i); });
    });
  });
  error.rethrow();
}

/// Sum of body(begin, end) over the chunks of parallel_for, added in chunk order: the same rounding at any thread
/// count.
template <class Body>
double parallel_sum(std::size_t count, std::size_t grain, int threads, const Body& body) {
  grain = std::max<std::size_t>(grain, 1);
  std::vector<double> partial((count + grain - 1) / grain);
  parallel_for(count, grain, threads,
               [&](std::size_t begin, std::size_t end) { partial[begin / grain] = body(begin, end); });
  double sum = 0;
  for (double p : partial) sum += p;
  return sum;
}

}  // namespace fovea
