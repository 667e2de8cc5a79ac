// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/prove_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "fovea/base/error.h"
#include "fovea/synthesis/input/sygus.h"
#include "fovea/synthesis/verify/recheck.h"
#include "tests/support/counting_loop.h"
#include "tests/support/expect_error.h"
#include "tests/support/horn_problems.h"

namespace fovea::synthesis {
namespace {

const LoopJob kSearchAlone = {.search = {.no_spacer = true}};  // no second thread, so that each run is the same

TEST(ProveLoopTest, ProvesALoopInMemory) {
  const TransitionSystem loop = fovea::testing::counting_loop();
  const LoopProof proof = prove_loop(loop, kSearchAlone, {});
  EXPECT_EQ(proof.answer.verdict, ProgramVerdict::kProved);
  EXPECT_THAT(proof.definition, StartsWith("(define-fun Inv ((x Int) (n Int)) Bool\n  "));
  EXPECT_TRUE(is_proved_by(loop, proof.answer.bodies[0]));
  EXPECT_THAT(proof.brief(), HasSubstr("proved by Z3; "));
  const auto json = nlohmann::json::parse(proof.json());
  EXPECT_EQ(json["outcome"], "proved");
  EXPECT_EQ(json["definition"], proof.definition);
}

TEST(ProveLoopTest, ReturnsTheRunThatBreaksThePostcondition) {
  const LoopProof proof = prove_loop(fovea::testing::counting_loop(3), kSearchAlone, {});
  EXPECT_EQ(proof.answer.verdict, ProgramVerdict::kInfeasible);
  ASSERT_EQ(proof.unsafe_run.size(), 1u);
  EXPECT_THAT(proof.unsafe_run[0], StartsWith("x = 3, n = "));
  EXPECT_EQ(proof.unsafe_text(), "this start state breaks the postcondition:\n  " + proof.unsafe_run[0]);
  EXPECT_EQ(nlohmann::json::parse(proof.json())["outcome"], "infeasible");
}

TEST(ProveLoopTest, NamesThePredicatesOfARun) {
  const InvariantProblem two = read_problem(io::ByteSource::from_memory(testing::two_loops("7"), "file"));
  const LoopProof proof = prove_loop(two, kSearchAlone, {});
  ASSERT_FALSE(proof.unsafe_run.empty());
  EXPECT_THAT(proof.unsafe_run.front(), StartsWith("first: x = 0, n = "));
  EXPECT_THAT(proof.unsafe_run.back(), StartsWith("second: x = "));
}

TEST(ProveLoopTest, DefinesAllPredicates) {
  const InvariantProblem two = read_problem(io::ByteSource::from_memory(testing::two_loops(), "file"));
  const LoopProof proof = prove_loop(two, kSearchAlone, {});
  EXPECT_THAT(proof.definition, StartsWith("(define-fun first ((x Int) (n Int)) Bool\n  "));
  EXPECT_THAT(proof.definition, HasSubstr("\n(define-fun second ((x Int) (n Int) (y Int)) Bool\n  "));
}

TEST(ProveLoopTest, SaysThatClausesContradictEachOther) {
  const InvariantProblem other = read_problem(io::ByteSource::from_memory(testing::beyond_loops("2"), "file"));
  const LoopProof proof = prove_loop(other, {}, {});
  EXPECT_EQ(proof.answer.verdict, ProgramVerdict::kInfeasible);
  EXPECT_EQ(proof.unsafe_text(), "Spacer has proved that the clauses contradict each other");
}

TEST(ProveLoopTest, NeedsSpacerWhereThereIsNoLoop) {
  const InvariantProblem other = read_problem(io::ByteSource::from_memory(testing::beyond_loops(), "file"));
  EXPECT_THAT(testing::message_of<UsageError>([&] { prove_loop(other, kSearchAlone, {}); }),
              HasSubstr("Spacer alone can be asked here: file:3: column 21"));
}

TEST(ProveLoopTest, ReturnsWithoutAnAnswerOnceItIsStopped) {
  CancelToken cancel;
  cancel.cancel();
  const LoopProof proof = prove_loop(fovea::testing::counting_loop(), kSearchAlone, {.stop = {.cancel = &cancel}});
  EXPECT_EQ(proof.answer.verdict, ProgramVerdict::kUnknown);
  EXPECT_EQ(proof.definition, "");
  EXPECT_TRUE(nlohmann::json::parse(proof.json())["found_by"].is_null());
}

std::atomic<int> signals_seen = 0;

// Z3 takes SIGINT for itself unless it is told not to, and with two threads leaves its handler behind.
TEST(ProveLoopTest, LeavesSignalsToTheProgram) {
  const auto count = [](int) { ++signals_seen; };
  const auto before = std::signal(SIGINT, count);
  std::atomic<bool> is_over = false;
  int raised = 0;
  std::thread raiser([&] {
    for (; !is_over; ++raised) {
      std::raise(SIGINT);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(prove_loop(fovea::testing::counting_loop(), {}, {}).answer.verdict, ProgramVerdict::kProved);
  is_over = true;
  raiser.join();
  EXPECT_EQ(signals_seen, raised);
  EXPECT_EQ(std::signal(SIGINT, before), static_cast<void (*)(int)>(count));
}

TEST(ProveLoopTest, RefusesALimitForEachItem) {
  LoopJob job;
  job.options.time_limit = "1s/item";
  EXPECT_THAT(testing::message_of<UsageError>([&] { prove_loop(fovea::testing::counting_loop(), job, {}); }),
              HasSubstr("a problem is one item"));
}

}  // namespace
}  // namespace fovea::synthesis
