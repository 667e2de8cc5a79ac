// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "fovea/base/container.h"
#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/base/temporary_file.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea {
namespace {

using testing::read_file;
using testing::write_file;

void replace(const std::string& path, std::string_view content) {
  write_file_atomically(path, std::vector<std::string_view>{content});
}

/// Runs `body` in a child process; its exit status is what body returns.
pid_t start(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(AtomicFileTest, ConcatenatesThePieces) {
  testing::TemporaryFolder folder;
  write_file_atomically(folder / "out", std::vector<std::string_view>{"one ", "", "two"});
  EXPECT_EQ(read_file(folder / "out"), "one two");
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(AtomicFileTest, FollowsLinksAndKeepsPermissions) {
  testing::TemporaryFolder folder;
  write_file(folder / "real", "old");
  std::filesystem::permissions(folder / "real", std::filesystem::perms(0640));
  std::filesystem::create_symlink(folder / "real", folder / "link");
  replace(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "real"), "new");
  EXPECT_EQ(std::filesystem::status(folder / "real").permissions(), std::filesystem::perms(0640));
}

TEST(AtomicFileTest, NamesPathAndReasonWhenItCannotWrite) {
  testing::TemporaryFolder folder;
  EXPECT_THAT(message_of<InputError>([&] { replace(folder / "none/out", "x"); }), HasSubstr("No such file"));
  EXPECT_THAT(message_of<InputError>([&] { replace(folder / "", "x"); }), HasSubstr("not a regular file"));
  EXPECT_THAT(message_of<InputError>([&] { replace("/dev/full", "x"); }), HasSubstr("/dev/full: is not a regular"));
  EXPECT_THROW(replace("", "x"), InputError);
}

// A limit on the size of files stands in for a full disk: the same failing write, no privileges needed.
TEST(AtomicFileTest, FullDiskKeepsTheOldFileAndLeavesNothingBehind) {
  testing::TemporaryFolder folder;
  write_file(folder / "out", "old");
  const int status = wait_for(start([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      replace(folder / "out", std::string(100000, 'x'));
    } catch (const InputError& error) {
      return std::string_view(error.what()).find("nothing was replaced") != std::string_view::npos ? 42 : 1;
    }
    return 0;
  }));
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_EQ(read_file(folder / "out"), "old");
  EXPECT_EQ(folder.file_count(), 1u);
}

/// A planted link or another process's file of any name is never opened; a file that nobody locks and that has the name
/// of one of ours was left by a killed process.
TEST(AtomicFileTest, RemovesWhatKilledProcessesLeftAndNothingElse) {
  testing::TemporaryFolder folder;
  const std::string path = folder / "out";
  const pid_t child = start([&] {
    AtomicFile file(path);
    file.append("half");
    ::pause();
    return 0;
  });
  while (folder.file_count() < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until it is locked
  write_file(folder / "out.tmp-mine", "kept");
  replace(path, "new");
  EXPECT_EQ(folder.file_count(), 3u) << "a file that is being written stays";
  ::kill(child, SIGKILL);
  wait_for(child);
  replace(path, "newer");
  EXPECT_EQ(folder.file_count(), 2u);
  EXPECT_EQ(read_file(path), "newer");
  EXPECT_EQ(read_file(folder / "out.tmp-mine"), "kept");
}

TEST(AtomicFileTest, TemporaryFilesCanBeRemovedAtTheEnd) {
  testing::TemporaryFolder folder;
  AtomicFile file(folder / "out");
  EXPECT_EQ(folder.file_count(), 1u);
  remove_temporary_files();
  EXPECT_EQ(folder.file_count(), 0u);
  EXPECT_THROW(file.commit(), InputError);
}

TEST(AtomicFileTest, ProcessesOfOneNumberDoNotMixTheirFiles) {
  testing::TemporaryFolder folder;
  AtomicFile first(folder / "out"), second(folder / "out");
  first.append("first");
  second.append("2nd");
  second.commit();
  first.commit();
  EXPECT_EQ(read_file(folder / "out"), "first");
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(AtomicFileTest, TellsBeforehandWhatCannotBeWritten) {
  testing::TemporaryFolder folder;
  write_file(folder / "out", "old");
  check_can_be_replaced(folder / "out");
  EXPECT_EQ(read_file(folder / "out"), "old");
  EXPECT_EQ(folder.file_count(), 1u);
  EXPECT_THROW(check_can_be_replaced(folder / "none/out"), InputError);
}

// A child rewrites one container as fast as it can and is killed at random moments. Whatever moment that is, the file
// opens and every section is whole: all sections carry the same round.
TEST(AtomicFileTest, KilledAtAnyMomentLeavesAWholeFile) {
  testing::TemporaryFolder folder;
  const std::string path = folder / "model";
  const auto write_round = [&](std::uint32_t round) {
    ContainerWriter writer("tagger", 1);
    for (const char* name : {"first", "second", "third"})
      writer.add_array<std::uint32_t>(name, std::vector<std::uint32_t>(20000, round));
    writer.write(path);
  };
  write_round(0);
  Random random(2);
  for (int kill = 0; kill < 40; ++kill) {
    const pid_t child = start([&] {
      for (std::uint32_t round = 1;; ++round) write_round(round);
      return 0;
    });
    std::this_thread::sleep_for(std::chrono::microseconds(500 + random.uniform_index(6000)));
    ::kill(child, SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(wait_for(child)));
    const Container container = Container::open(path, "tagger", 1);
    const std::uint32_t round = container.array<std::uint32_t>("first")[0];
    for (std::string_view name : container.section_names())
      for (std::uint32_t value : container.array<std::uint32_t>(name)) ASSERT_EQ(value, round);
  }
}

}  // namespace
}  // namespace fovea
