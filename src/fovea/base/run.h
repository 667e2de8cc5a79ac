// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fovea/base/budget.h"
#include "fovea/base/parallel.h"
#include "fovea/base/phase_log.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"

namespace fovea {

/// Circumstances of a long call: its budget, its source of random decisions, and its observers. Every long call takes
/// one; it never changes the question.
///
/// Under a deadline the answer depends on the machine. Under count limits alone it is the same on every run, on every
/// machine, at any number of threads: no step looks at a clock.
struct Run {
  Stop stop = {};
  Budget budget = {};                          ///< only its counts; its seconds are the caller's business (`stop`)
  std::uint64_t memory_bytes = 4'000'000'000;  ///< limit for tables of exact methods; the model itself does not count
  int threads = 0;                             ///< 0: all cores
  Random random = Random(1);
  ProgressFunction progress = {};
  WarningFunction warn = {};                             ///< called with a failure that did not end the job
  std::function<void(const std::string&)> note = {};     ///< called with facts worth reporting on the way
  PhaseLog* phases = nullptr;                            ///< gets the time that each phase takes
  Stop::Clock::time_point started = Stop::Clock::now();  ///< start of the process or call: time limits count from here

  int thread_count() const { return resolve_threads(threads); }
  bool is_cancelled() const { return stop.cancel && stop.cancel->cancelled(); }

  /// True if a clock may end a step: under a deadline, and if nothing is limited.
  bool is_timed() const { return stop.has_deadline() || budget == Budget{}; }
  /// The same run, which ends at most `seconds` after `started`.
  Run ending_after(double seconds) const {
    Run run = *this;
    run.stop = stop.within(seconds - seconds_since(started));
    return run;
  }
  void warn_of(const std::string& text) const {
    if (warn) warn(text);
  }
  /// Says what the job does from now on.
  void begin_phase(std::string_view name) const {
    if (phases) phases->begin(name);
  }
  void note_that(const std::string& text) const {
    if (note) note(text);
  }

  /// `stop`, but at most `seconds` from now if a clock may end a step.
  Stop within(double seconds) const { return is_timed() ? stop.within(seconds) : stop; }

  /// The same run, with the child stream `name` of `random`.
  Run child(std::string_view name) const { return with(random.child(name)); }
  Run with(Random stream) const {
    Run run = *this;
    run.random = std::move(stream);
    return run;
  }

  /// The transitions that the budget allows on `variables` variables, as a whole number.
  std::uint64_t transition_limit(std::size_t variables) const {
    return whole(budget.transition_limit(static_cast<double>(variables)));
  }
  /// The same for a loop that does not know what a sweep is: the budget's transitions alone.
  std::uint64_t transition_limit() const { return whole(budget.transitions); }

  /// The limit, other than sweeps, that a loop has reached after `work`, if any.
  std::optional<StopReason> reached(const Work& work) const {
    if (work.transitions >= transition_limit()) return StopReason::kTransitions;
    if (static_cast<double>(work.factors) >= budget.factors) return StopReason::kFactors;
    if (is_cancelled()) return StopReason::kCancelled;
    if (stop.is_late()) return StopReason::kSeconds;
    return std::nullopt;
  }

 private:
  static std::uint64_t whole(double limit) {
    return limit < 1e18 ? static_cast<std::uint64_t>(limit) : std::numeric_limits<std::uint64_t>::max();
  }
};

}  // namespace fovea
