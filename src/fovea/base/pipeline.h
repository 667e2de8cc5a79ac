// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "fovea/base/parallel.h"

namespace fovea {

namespace internal {

/// The steps of run_pipeline(), for more than one thread.
template <class Block, class Make, class Read, class Work, class Finish>
class Pipeline {
 public:
  Pipeline(const Make& make, const Read& read, const Work& work, const Finish& finish)
      : make_(make), read_(read), work_(work), finish_(finish) {}

  void run(int threads) {
    using tbb::filter_mode;
    in_arena(threads, [&] {
      tbb::parallel_pipeline(
          static_cast<std::size_t>(2 * threads),
          tbb::make_filter<void, SlotPtr>(filter_mode::serial_in_order, [&](auto& control) { return next(control); }) &
              tbb::make_filter<SlotPtr, SlotPtr>(filter_mode::parallel, [&](SlotPtr slot) { return worked(slot); }) &
              tbb::make_filter<SlotPtr, void>(filter_mode::serial_in_order, [&](SlotPtr slot) { finish(slot); }));
    });
    if (failed_) std::rethrow_exception(first_error_);
  }

 private:
  /// A block, and what went wrong with it.
  struct Slot {
    Block block;  // null until it is first read into
    std::exception_ptr error;

    template <class Step>
    void attempt(const Step& step) {
      if (error) return;
      try {
        step();
      } catch (...) {
        error = std::current_exception();
      }
    }
  };
  using SlotPtr = std::shared_ptr<Slot>;

  SlotPtr next(tbb::flow_control& control) {
    bool has_block = false;
    SlotPtr slot = ended_ || failed_ ? nullptr : unused();
    if (slot)
      slot->attempt([&] {
        if (!slot->block) slot->block = make_();
        has_block = read_(*slot->block);
      });
    if (slot && slot->error) has_block = ended_ = true;
    if (!has_block) control.stop();
    return has_block ? slot : nullptr;
  }

  SlotPtr worked(SlotPtr slot) {
    slot->attempt([&] { work_(*slot->block); });
    return slot;
  }

  /// Finishes a block, unless one before it failed. Nothing may be thrown through oneTBB's pipeline, which would lose
  /// the blocks that are on their way.
  void finish(const SlotPtr& slot) {
    if (failed_) return;
    slot->attempt([&] { finish_(*slot->block); });
    if (slot->error) {
      first_error_ = slot->error;
      failed_ = true;
      return;
    }
    const std::lock_guard lock(mutex_);
    unused_.push_back(slot);
  }

  SlotPtr unused() {
    const std::lock_guard lock(mutex_);
    if (unused_.empty()) return std::make_shared<Slot>();
    SlotPtr slot = std::move(unused_.back());
    unused_.pop_back();
    return slot;
  }

  const Make& make_;
  const Read& read_;
  const Work& work_;
  const Finish& finish_;
  std::mutex mutex_;  // guards unused_
  std::vector<SlotPtr> unused_;
  bool ended_ = false;
  std::atomic<bool> failed_ = false;
  std::exception_ptr first_error_;  // once failed_
};

/// The steps of run_pipeline() for one thread, with their time.
template <class Make, class Read, class Work, class Finish>
void run_timed(TaskClock& clock, const Make& make, const Read& read, const Work& work, const Finish& finish) {
  std::vector<TaskClock::Block> times;
  const auto block = make();
  for (bool has_block = true;;) {
    TaskClock::Block& time = times.emplace_back();
    time.read = clock.time([&] { has_block = read(*block); });
    if (!has_block) break;
    time.work = clock.time([&] { work(*block); });
    time.finish = clock.time([&] { finish(*block); });
  }
  clock.add(times);
}

}  // namespace internal

/// Reads blocks one after the other, works on several at a time, and hands them on in the order of reading:
///
///   make()          a new block, as std::unique_ptr; blocks are used again
///   read(block)     fills it; false at the end. Called by one thread at a time
///   work(block)     called by up to `threads` threads (0: all cores) at a time, each with a block of its own
///   finish(block)   called in the order of reading, by one thread at a time
///
/// At most two blocks a thread are held. An exception ends the reading; blocks before it are still finished, then it is
/// rethrown, the first in the order of reading. So neither results nor errors depend on the number of threads.
template <class Make, class Read, class Work, class Finish>
void run_pipeline(int threads, const Make& make, const Read& read, const Work& work, const Finish& finish) {
  using Block = decltype(make());
  threads = std::min(resolve_threads(threads), resolve_threads(0));
  if (threads > 1) return internal::Pipeline<Block, Make, Read, Work, Finish>(make, read, work, finish).run(threads);
  if (TaskClock::active) return internal::run_timed(*TaskClock::active, make, read, work, finish);
  for (Block block = make(); read(*block);) {
    work(*block);
    finish(*block);
  }
}

}  // namespace fovea
