// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::mcmc {
namespace {

using State = std::vector<VariableId>;  // what was visited, in order

/// Proposes batches of `size`, `count` times; records what it observes.
struct ScriptedSchedule {
  std::size_t size = 1;
  std::size_t count = 1000;
  std::vector<VariableId> batch = {};
  std::size_t observed = 0;

  std::optional<std::span<const VariableId>> next(Random&) {
    if (count-- == 0) return std::nullopt;
    batch.resize(size);
    for (VariableId v = 0; v < size; ++v) batch[v] = v;
    return std::span<const VariableId>(batch);
  }
  std::span<SiteInfo> detail(std::span<const VariableId>) { return {}; }
  void observe(std::span<const VariableId> visited, const StepInfo& info) {
    observed += visited.size();
    EXPECT_EQ(visited.size(), info.work.transitions);
  }
};

/// Records its visits; every visit costs three factors, and every second one is a change.
struct NotingKernel {
  StepInfo step(State& state, std::span<const VariableId> batch, Random&, std::span<SiteInfo>) const {
    StepInfo info;
    info.work = {.transitions = batch.size(), .factors = 3 * batch.size()};
    for (const VariableId v : batch) {
      info.changes += state.size() % 2;
      state.push_back(v);
    }
    return info;
  }
};

RunSummary run_script(State& state, ScriptedSchedule& schedule, const Run& limits) {
  Random random(1);
  return run(state, schedule, NotingKernel{}, limits, random);
}

TEST(RunTest, TransitionBudgetIsKeptExactlyWithBigBatches) {
  for (const std::uint64_t budget : {0, 1, 99, 100, 101, 250}) {
    State state;
    ScriptedSchedule schedule{.size = 100};
    const RunSummary summary = run_script(state, schedule, {.budget = {.transitions = static_cast<double>(budget)}});
    EXPECT_EQ(summary.stopped_by, StopReason::kTransitions);
    EXPECT_EQ(summary.work, (Work{.transitions = budget, .factors = 3 * budget}));
    EXPECT_EQ(summary.changes, budget / 2);
    EXPECT_EQ(state.size(), budget);
    EXPECT_EQ(schedule.observed, budget);
  }
}

TEST(RunTest, FactorBudgetStopsAfterTheBatchThatReachesIt) {
  State state;
  ScriptedSchedule schedule{.size = 10};
  const RunSummary summary = run_script(state, schedule, {.budget = {.factors = 31}});
  EXPECT_EQ(summary.stopped_by, StopReason::kFactors);
  EXPECT_EQ(summary.work.factors, 60u);
}

TEST(RunTest, SettlesWhenTheScheduleHasNoMore) {
  State state;
  ScriptedSchedule schedule{.size = 4, .count = 3};
  const RunSummary summary = run_script(state, schedule, {});
  EXPECT_EQ(summary.stopped_by, StopReason::kSettled);
  EXPECT_EQ(summary.work.transitions, 12u);
  EXPECT_EQ(state, (State{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(RunTest, APartOfATransitionIsNone) {
  State state;
  ScriptedSchedule schedule{.size = 100};
  const RunSummary summary = run_script(state, schedule, {.budget = {.transitions = 2.5}});
  EXPECT_EQ(summary.stopped_by, StopReason::kTransitions);
  EXPECT_EQ(summary.work.transitions, 2u);
}

TEST(RunTest, ClockIsReadBetweenBatches) {
  State state;
  ScriptedSchedule endless{.count = ~std::size_t{0}};
  const auto start = std::chrono::steady_clock::now();
  const RunSummary summary = run_script(state, endless, {.stop = Stop().within(0.01)});
  EXPECT_EQ(summary.stopped_by, StopReason::kSeconds);
  EXPECT_GE(seconds_since(start), 0.01);
  EXPECT_FALSE(state.empty());
  State untouched;
  ScriptedSchedule none;
  EXPECT_EQ(run_script(untouched, none, {.stop = Stop().within(0)}).stopped_by, StopReason::kSeconds);
  EXPECT_TRUE(untouched.empty());
}

TEST(RunTest, CancelStopsBeforeTheNextBatch) {
  CancelToken cancel;
  State state;
  ScriptedSchedule schedule{.size = 5};
  Random random(1);
  const RunSummary summary =
      run(state, schedule, NotingKernel{}, {.stop = {.cancel = &cancel}}, random, [&](auto, const StepInfo&) {
        if (state.size() == 15) cancel.cancel();
      });
  EXPECT_EQ(summary.stopped_by, StopReason::kCancelled);
  EXPECT_EQ(state.size(), 15u);
}

TEST(RunTest, ObserverSeesEveryBatchAfterTheSchedule) {
  State state;
  ScriptedSchedule schedule{.size = 7};
  Random random(1);
  std::size_t seen = 0;
  run(state, schedule, NotingKernel{}, {.budget = {.transitions = 30}}, random, [&](auto batch, const StepInfo& info) {
    seen += batch.size();
    EXPECT_EQ(schedule.observed, seen);
    EXPECT_EQ(info.work.transitions, batch.size());
  });
  EXPECT_EQ(seen, 30u);
}

TEST(RunTest, SummaryStartsAsNotRunAndReasonsHaveNames) {
  EXPECT_EQ(RunSummary().stopped_by, StopReason::kNotRun);
  std::set<std::string_view> names;
  for (const StopReason reason : {StopReason::kNotRun, StopReason::kSettled, StopReason::kTransitions,
                                  StopReason::kFactors, StopReason::kSeconds, StopReason::kCancelled})
    names.insert(to_string(reason));
  EXPECT_EQ(names.size(), 6u);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace fovea::mcmc
