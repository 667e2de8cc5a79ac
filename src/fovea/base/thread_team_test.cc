// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/thread_team.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <vector>

namespace fovea {
namespace {

constexpr std::uint64_t kRounds = 2000;

TEST(ThreadTeam, SharesAreDisjointAndCoverTheRange) {
  std::array<std::atomic<int>, 11> owners{};
  run_in_team(owners.size(), 4, [&](const ThreadTeam& team) {
    const auto [begin, end] = team.share(0, owners.size());
    for (std::size_t i = begin; i < end; ++i) ++owners[i];
  });
  for (const auto& count : owners) EXPECT_EQ(count, 1);
}

TEST(ThreadTeam, EachIndexIsInTheShareOfOneMember) {
  for (const std::size_t count : {0u, 2u, 1000u}) {
    std::vector<std::atomic<int>> owners(count);
    run_in_team(5, 5, [&](const ThreadTeam& team) {
      team.for_share(count, 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++owners[i];
      });
    });
    for (const auto& owner : owners) EXPECT_EQ(owner, 1);
  }
}

TEST(ThreadTeam, TheOthersShareWhatTheLeaderLeaves) {
  for (const std::size_t size : {1u, 2u, 4u}) {
    std::vector<std::atomic<int>> owners(100);
    std::atomic<int> leaders_share{0};
    run_in_team(size, static_cast<int>(size), [&](const ThreadTeam& team) {
      team.for_share_of_others(owners.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++owners[i];
        if (team.leads()) leaders_share += static_cast<int>(end - begin);
      });
    });
    for (const auto& owner : owners) EXPECT_EQ(owner, 1);
    EXPECT_EQ(leaders_share, size == 1 ? 100 : 0);
  }
}

TEST(ThreadTeam, AClockMeasuresSharesAsTasks) {
  TaskClock clock;
  const TaskClock::Activation active(&clock);
  std::size_t tasks = 0;
  run_in_team(5, 1, [&](const ThreadTeam& team) {
    team.for_share(100, 16, [&](std::size_t begin, std::size_t end) { tasks += begin % 16 == 0 && end > begin; });
  });
  EXPECT_EQ(tasks, 7);
  EXPECT_GT(clock.saved()[0], 0);
}

TEST(ThreadTeam, MembersMeetAfterEveryRound) {
  std::array<std::uint64_t, 3> written{};
  std::atomic<int> differences{0};
  run_in_team(written.size(), 3, [&](const ThreadTeam& team) {
    const std::size_t own = team.share(0, written.size()).first;
    for (std::uint64_t round = 1; round <= kRounds; ++round) {
      written[own] = round;
      team.meet();
      for (const std::uint64_t other : written) differences += other != round;
      team.meet();
    }
  });
  EXPECT_EQ(differences, 0);
}

/// In each round, members read what their neighbours wrote in the last one, and overwrite what they wrote before that.
TEST(ThreadTeam, NeighboursAreAtMostARoundApart) {
  for (const std::size_t size : {1u, 2u, 4u}) {
    std::vector<std::array<std::uint64_t, 2>> written(size);  // [member][round % 2]
    std::atomic<int> differences{0};
    run_in_team(size, static_cast<int>(size), [&](const ThreadTeam& team) {
      const std::size_t own = team.share(0, size).first;
      for (std::uint64_t round = 1; round <= kRounds; ++round) {
        team.await_neighbours(round - 1);
        for (const std::size_t other : {(own + 1) % size, (own + size - 1) % size})
          differences += written[other][(round - 1) % 2] != round - 1;
        written[own][round % 2] = round;
        team.announce(round);
      }
    });
    EXPECT_EQ(differences, 0) << size;
  }
}

}  // namespace
}  // namespace fovea
