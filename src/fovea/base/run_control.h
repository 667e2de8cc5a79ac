// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "fovea/base/words.h"

namespace fovea {

/// Asks a long computation to stop at its next safe point and return the best it has. Set from any thread or from a
/// signal handler (lock-free); never reset by the library.
class CancelToken {
 public:
  constexpr CancelToken() noexcept = default;
  /// Makes a token that is also cancelled with `parent`, which must outlive it.
  constexpr explicit CancelToken(const CancelToken* parent) noexcept : parent_(parent) {}

  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed) || (parent_ && parent_->cancelled());
  }

 private:
  std::atomic<bool> cancelled_ = false;
  const CancelToken* parent_ = nullptr;
  static_assert(std::atomic<bool>::is_always_lock_free);
};

/// Deterministic counts of work, kept everywhere in addition to seconds: the same input, seed and budget give the same
/// counts on any machine and at any number of threads.
struct Work {
  std::uint64_t transitions = 0;   ///< kernel steps: one variable resampled (or maximised) once
  std::uint64_t factors = 0;       ///< factor (label n-gram or unary) evaluations
  std::uint64_t oracle_calls = 0;  ///< calls of an expensive exact routine

  Work& operator+=(const Work& other) {
    transitions += other.transitions;
    factors += other.factors;
    oracle_calls += other.oracle_calls;
    return *this;
  }
  friend bool operator==(const Work&, const Work&) = default;
};

/// Seconds of wall time from `start` to now.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// One report of a long computation; the same record feeds the progress bar, the trace file and the summary.
struct Progress {
  std::string_view phase = {};                             ///< "reading", "training", ...
  double done = 0;                                         ///< units finished ...
  double total = 0;                                        ///< ... of this many; 0 when unknown
  double seconds = 0;                                      ///< since the phase began
  std::string_view figure = {};                            ///< name of the figure that matters, e.g. "objective"
  double value = 0;                                        ///< and its value
  double bound = std::numeric_limits<double>::infinity();  ///< bound on the value, where one is known
  std::string_view method = {};                            ///< method that found the value, where several look for it
  Work work = {};                                          ///< spent so far, where it is counted
};

/// Called from the thread that runs the computation, never concurrently; an empty function means silence.
using ProgressFunction = std::function<void(const Progress&)>;

/// Reports the progress of a phase to a ProgressFunction, if there is one.
class PhaseProgress {
 public:
  PhaseProgress(const ProgressFunction& progress, std::string_view name, double total)
      : progress_(progress), name_(name), total_(total) {}

  void report(double done, std::string_view figure = {}, double value = 0) const {
    if (!progress_) return;
    const double seconds = seconds_since(started_);
    progress_({name_, done, total_, seconds, figure, value});
  }

 private:
  const ProgressFunction& progress_;
  std::string_view name_;
  double total_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// Called with a sentence about a failure that did not end the job.
using WarningFunction = std::function<void(const std::string&)>;

/// Conditions under which a computation must end with the best it has: a deadline, or cancellation. Default: never.
/// Asking costs a look at the clock (about 25 ns): ask once per block of work that takes well under a millisecond.
struct Stop {
  using Clock = std::chrono::steady_clock;

  Clock::time_point deadline = Clock::time_point::max();
  const CancelToken* cancel = nullptr;  ///< must outlive the computation

  bool requested() const { return (cancel && cancel->cancelled()) || is_late(); }
  bool is_late() const { return has_deadline() && Clock::now() >= deadline; }
  bool has_deadline() const { return deadline != Clock::time_point::max(); }

  /// Seconds until the deadline: infinite without one, never negative.
  double seconds_left() const {
    if (!has_deadline()) return std::numeric_limits<double>::infinity();
    return std::max(0.0, std::chrono::duration<double>(deadline - Clock::now()).count());
  }

  /// The same conditions, with a deadline at most `seconds` from now.
  Stop within(double seconds) const {
    if (!(seconds < 1e9)) return *this;
    const auto later =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    return {.deadline = std::min(deadline, later), .cancel = cancel};
  }
};

/// Asks a Stop once every 32,768 table entries, because a look at the clock costs more than a small message.
class StopMeter {
 public:
  /// Counts `entries` more entries as read. True if it is time to end.
  bool is_late(std::uint64_t entries, const Stop& stop) {
    entries_ += entries;
    if (entries_ < kEntriesBetweenLooks) return false;
    entries_ = 0;
    return stop.requested();
  }

 private:
  static constexpr std::uint64_t kEntriesBetweenLooks = 1 << 15;  // about 0.1 ms
  std::uint64_t entries_ = 0;
};

enum class StopReason { kNotRun, kSettled, kTransitions, kFactors, kSeconds, kCancelled };
constexpr auto words_of(StopReason) {
  using enum StopReason;
  return std::array{
      Word{kNotRun, "not run"},        Word{kSettled, "settled"},    Word{kTransitions, "transition budget"},
      Word{kFactors, "factor budget"}, Word{kSeconds, "time limit"}, Word{kCancelled, "cancelled"}};
}
constexpr std::string_view to_string(StopReason reason) { return word_of(reason); }

/// Summary of a run. It starts as "not run".
struct RunSummary {
  StopReason stopped_by = StopReason::kNotRun;
  Work work;
  std::uint64_t changes = 0;
  double seconds = 0;
};

}  // namespace fovea
