// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

namespace fovea {
namespace {

TEST(ParallelTest, ZeroThreadsMeansAllCores) {
  EXPECT_GE(resolve_threads(0), 1);
  EXPECT_EQ(resolve_threads(3), 3);
}

TEST(ParallelTest, ChunksCoverTheRangeOnce) {
  for (int threads : {1, 4}) {
    std::vector<int> visits(1003);
    std::atomic<int> misplaced = 0;
    parallel_for(visits.size(), 10, threads, [&](std::size_t begin, std::size_t end) {
      misplaced += begin % 10 != 0 || end != std::min(visits.size(), begin + 10);
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; }));
    EXPECT_EQ(misplaced, 0);
  }
}

TEST(ParallelTest, InOrderVisitsEachOnceAndRethrowsTheFirst) {
  for (int threads : {1, 4}) {
    std::vector<int> visits(1003);
    parallel_in_order(visits.size(), threads, [&](std::size_t i) { ++visits[i]; });
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; }));
    try {
      parallel_in_order(100, threads, [&](std::size_t i) {
        if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  }
}

TEST(ParallelTest, NothingToDoCallsNothing) {
  parallel_in_order(0, 2, [](std::size_t) { FAIL(); });
  parallel_for(0, 10, 2, [](std::size_t, std::size_t) { FAIL(); });
  EXPECT_EQ(parallel_sum(0, 10, 2, [](std::size_t, std::size_t) { return 1.0; }), 0);
}

TEST(ParallelTest, SumHasTheSameRoundingAtAnyNumberOfThreads) {
  const auto chunk = [](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += std::sin(static_cast<double>(i)) * std::pow(10.0, i % 17);
    return sum;
  };
  const double one = parallel_sum(100000, 100, 1, chunk);
  for (int threads : {2, 3, 8}) EXPECT_EQ(parallel_sum(100000, 100, threads, chunk), one);
}

TEST(ParallelTest, ExceptionsReachTheCaller) {
  for (int threads : {1, 4})
    EXPECT_THROW(parallel_for(100, 1, threads,
                              [](std::size_t begin, std::size_t) {
                                if (begin == 57) throw std::runtime_error("57");
                              }),
                 std::runtime_error);
}

TEST(ParallelTest, OfSeveralExceptionsTheFirstChunksIsThrown) {
  for (const int threads : {1, 4}) {
    std::atomic<bool> later_threw = false;
    const auto body = [&](std::size_t begin, std::size_t) {
      if (begin == 3) {  // gives the other chunk all the time it wants
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
        while (!later_threw && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        throw std::runtime_error("3");
      }
      if (begin == 57) {
        later_threw = true;
        throw std::runtime_error("57");
      }
    };
    try {
      parallel_for(100, 1, threads, body);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "3");
    }
  }
}

}  // namespace
}  // namespace fovea
