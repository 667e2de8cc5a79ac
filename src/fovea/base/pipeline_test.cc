// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/pipeline.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace fovea {
namespace {

struct Numbers {
  int first = 0, square = 0;
};

/// Squares of 0 to 99, in order, where `fails(i)` may throw while i is read, and `work(i)` before it is squared.
template <class Fails, class WorkOn>
std::string squares(int threads, const Fails& fails, const WorkOn& work_on) {
  std::string text;
  int next = 0;
  try {
    run_pipeline(
        threads, [] { return std::make_unique<Numbers>(); },
        [&](Numbers& block) {
          if (next == 100) return false;
          fails(next);
          block.first = next++;
          return true;
        },
        [&](Numbers& block) {
          work_on(block.first);
          block.square = block.first * block.first;
        },
        [&](Numbers& block) { text += std::to_string(block.square) + " "; });
  } catch (const std::runtime_error& error) {
    text += error.what();
  }
  return text;
}

void nothing(int) {}
void nothing_of(Numbers&) {}

void refuse(int number, int bad) {
  if (number == bad) throw std::runtime_error("bad " + std::to_string(number));
}

TEST(PipelineTest, FinishesInTheOrderOfReading) {
  const auto first_is_slow = [](int i) {
    if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  const std::string alone = squares(1, nothing, nothing);
  EXPECT_TRUE(alone.starts_with("0 1 4 9 ") && alone.ends_with("9604 9801 "));
  for (int threads : {2, 7}) EXPECT_EQ(squares(threads, nothing, first_is_slow), alone);
}

TEST(PipelineTest, FinishesWhatWasReadBeforeAnError) {
  for (int threads : {1, 2, 7}) {
    EXPECT_EQ(squares(
                  threads, [](int i) { refuse(i, 3); }, nothing),
              "0 1 4 bad 3");
    EXPECT_EQ(squares(threads, nothing, [](int i) { refuse(i, 2); }), "0 1 bad 2");
    EXPECT_EQ(squares(
                  threads, [](int i) { refuse(i, 3); },
                  [](int i) {
                    if (i == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    refuse(i, 1);
                  }),
              "0 bad 1");
  }
}

TEST(PipelineTest, AnErrorInFinishingEndsIt) {
  for (int threads : {1, 2, 7}) {
    int next = 0, finished = 0;
    EXPECT_THROW(run_pipeline(
                     threads, [] { return std::make_unique<Numbers>(); },
                     [&](Numbers& block) {
                       block.first = next;
                       return next++ < 1000;
                     },
                     nothing_of, [&](Numbers& block) { refuse(finished++, block.first == 3 ? 3 : -1); }),
                 std::runtime_error);
    EXPECT_EQ(finished, 4);
    EXPECT_LT(next, 1000) << "it ends soon";
  }
}

}  // namespace
}  // namespace fovea
