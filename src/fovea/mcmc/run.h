// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

#include "fovea/base/assignment.h"
#include "fovea/base/run.h"
#include "fovea/mcmc/step_info.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// Algorithm 1 of Shi, Steinhardt and Liang (2015): selects a kernel application, samples it, and lets the schedule
/// learn from the outcome, until the budget is spent or the schedule has nothing left to propose.
///
///   schedule.next(random)           -> optional<span<const VariableId>>: the next batch; nullopt when settled
///   schedule.detail(batch)          memory for what the kernel sees: a span of SiteInfo, or a VisitRecord
///   kernel.step(state, batch, random, detail) -> StepInfo
///   schedule.observe(batch, info)   feedback
///   observe(batch, info)            the caller's own observer
///
/// LawOf<Kernel, Schedule> states whether long runs sample the target.
template <class State, class Schedule, class Kernel, class Random, class Observer>
RunSummary run(State& state, Schedule& schedule, const Kernel& kernel, const Run& limits, Random& random,
               Observer&& observe) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t most_transitions = limits.transition_limit();
  RunSummary summary;
  while (true) {
    if (const auto reason = limits.reached(summary.work)) {
      summary.stopped_by = *reason;
      break;
    }
    std::optional<std::span<const VariableId>> batch = schedule.next(random);  // select
    if (!batch) {
      summary.stopped_by = StopReason::kSettled;
      break;
    }
    const std::uint64_t left = most_transitions - summary.work.transitions;
    if (batch->size() > left) batch = batch->first(left);
    const StepInfo info = kernel.step(state, *batch, random, schedule.detail(*batch));  // sample
    schedule.observe(*batch, info);                                                     // learn
    observe(*batch, info);
    summary.work += info.work;
    summary.changes += info.changes;
  }
  summary.seconds = seconds_since(start);
  return summary;
}

template <class State, class Schedule, class Kernel, class Random>
RunSummary run(State& state, Schedule& schedule, const Kernel& kernel, const Run& limits, Random& random) {
  return run(state, schedule, kernel, limits, random, [](auto&&, auto&&) {});
}

}  // namespace fovea::mcmc
