// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <ostream>

#include "fovea/base/error.h"
#include "fovea/cli/run/exit_code.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

namespace fovea::cli {
namespace {

using std::chrono::milliseconds;

TEST(Watchdog, BarksAtTheDeadline) {
  std::promise<void> barked;
  const auto begin = Watchdog::Clock::now();
  const Watchdog watchdog(begin + milliseconds(5), [&] { barked.set_value(); });
  barked.get_future().wait();
  EXPECT_GE(Watchdog::Clock::now(), begin + milliseconds(5));
}

TEST(Watchdog, IsSilentOnceCalledOff) {
  bool barked = false;
  {
    const Watchdog watchdog(Watchdog::Clock::now() + std::chrono::hours(1), [&] { barked = true; });
  }
  {
    const Watchdog never(Watchdog::Clock::time_point::max(), [&] { barked = true; });
  }
  EXPECT_FALSE(barked);
}

}  // namespace

namespace {

struct Output {
  Output(int descriptor, const std::string& name) : buffer(descriptor, name), stream(&buffer) {
    stream.exceptions(std::ios::badbit);
  }
  DescriptorBuffer buffer;
  std::ostream stream;
};

TEST(StandardStreamsTest, WritesEverythingInOrder) {
  testing::TemporaryFolder folder;
  const int file = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  std::string expected;
  {
    Output out(file, "out");
    for (int i = 0; i < 50000; ++i) {
      const std::string word = std::to_string(i) + '\n';
      out.stream << word;
      expected += word;
    }
    out.stream << std::flush;
  }
  ::close(file);
  EXPECT_EQ(testing::read_file(folder / "out"), expected);
}

TEST(StandardStreamsTest, FullDeviceIsBadInputWithItsReason) {
  const int full = ::open("/dev/full", O_WRONLY);
  Output out(full, "<stdout>");
  out.stream << "x";
  EXPECT_THAT(testing::message_of<InputError>([&] { out.stream << std::flush; }),
              HasSubstr("<stdout>: cannot write: No space left on device"));
  EXPECT_THROW(Output(full, "<stdout>").stream << std::string(1 << 20, 'x'), InputError);
  ::close(full);
}

TEST(StandardStreamsTest, ReaderGoneIsOutputClosed) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  ::signal(SIGPIPE, SIG_IGN);
  Output out(ends[1], "<stdout>");
  out.stream << "x";
  EXPECT_THROW(out.stream << std::flush, OutputClosed);
  ::close(ends[1]);
}

/// The wait status of a child process that runs `body`.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(StandardStreamsTest, ClosedDescriptorsAreNotReused) {
  const int status = status_of_child([] {
    ::close(STDIN_FILENO);
    ::close(STDOUT_FILENO);
    reserve_standard_descriptors();
    const bool readable = ::open("/dev/null", O_RDONLY) > STDERR_FILENO;
    const bool unwritable = ::write(STDOUT_FILENO, "x", 1) == -1 && errno == EBADF;
    return readable && unwritable ? 42 : 1;
  });
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(SignalsTest, FirstInterruptCancelsAndTheSecondEndsTheProcess) {
  for (int signal : {SIGINT, SIGTERM}) {
    const int status = status_of_child([&] {
      CancelToken token;
      install_signal_handlers(token);
      if (token.cancelled()) return 1;
      ::raise(signal);
      if (!token.cancelled()) return 2;
      ::raise(signal);
      return 3;
    });
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130);
  }
}

TEST(SignalsTest, BrokenPipesBecomeErrors) {
  const int status = status_of_child([] {
    CancelToken token;
    install_signal_handlers(token);
    int ends[2];
    if (::pipe(ends) != 0) return 1;
    ::close(ends[0]);
    return ::write(ends[1], "x", 1) == -1 && errno == EPIPE ? 42 : 2;
  });
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(OpenInBrowserTest, AsksTheDesktopIfThereIsOne) {
  const testing::TemporaryFolder folder;
  testing::write_file(folder / "xdg-open", "#!/bin/sh\necho \"$1\" >" + (folder / "asked"));
  std::filesystem::permissions(folder / "xdg-open", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  EXPECT_EXIT(
      {
        ::setenv("PATH", ((folder / "") + ":" + path).c_str(), 1);
        ::setenv("DISPLAY", ":0", 1);
        const bool is_asked = open_in_browser("http://127.0.0.1:1/?token=a&b");
        ::wait(nullptr);
        ::unsetenv("DISPLAY");
        ::unsetenv("WAYLAND_DISPLAY");
        std::exit(is_asked && !open_in_browser("http://127.0.0.1:1/") ? 7 : 1);
      },
      ::testing::ExitedWithCode(7), "");
  EXPECT_EQ(testing::read_file(folder / "asked"), "http://127.0.0.1:1/?token=a&b\n");
}

}  // namespace

}  // namespace fovea::cli
