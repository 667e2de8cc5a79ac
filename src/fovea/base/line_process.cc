// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/line_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "fovea/base/error.h"

extern char** environ;

namespace fovea {
namespace {

[[noreturn]] void refuse_start(const std::string& command, int error) {
  throw InputError({}, fmt::format("cannot start the command '{}': {}", command, std::strerror(error)),
                   "Try the command in a shell");
}

/// Starts the command with one end of a socket as its standard input and output.
pid_t spawn(const std::string& command, int socket) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, socket, STDOUT_FILENO);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string shell = "/bin/sh", option = "-c", text = command;
  const std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
  pid_t process = -1;
  const int error = ::posix_spawn(&process, shell.c_str(), &files, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) refuse_start(command, error);
  return process;
}

}  // namespace

LineProcess::LineProcess(std::string command) : command_(std::move(command)) {
  // A socket, not pipes: writing to a command that has ended then fails instead of raising a signal.
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) refuse_start(command_, errno);
  try {
    process_ = spawn(command_, ends[1]);
  } catch (...) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw;
  }
  ::close(ends[1]);
  socket_ = ends[0];
}

LineProcess::~LineProcess() {
  constexpr std::chrono::milliseconds kLook{5};
  constexpr int kLooks = 200;
  ::close(socket_);
  if (process_ < 0) return;
  for (int i = 0; i < kLooks; ++i) {
    if (::waitpid(process_, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(kLook);
  }
  ::kill(-process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

std::string LineProcess::ask(std::string_view line, const Stop& stop) {
  if (owes_answer_) throw LimitError(fmt::format("'{}' was interrupted before it had answered", command_));
  ++asked_;
  owes_answer_ = true;
  send(std::string(line) + "\n", stop);
  for (std::size_t looked_at = 0;;) {
    if (const std::size_t end = unread_.find('\n', looked_at); end != unread_.npos) {
      std::string answer = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      if (answer.ends_with('\r')) answer.pop_back();
      owes_answer_ = false;
      return answer;
    }
    looked_at = unread_.size();
    wait_for(POLLIN, stop);
    receive();
  }
}

void LineProcess::receive() {
  constexpr std::size_t kPiece = 4096;
  std::array<char, kPiece> piece{};
  const ssize_t count = ::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
  if (count > 0) unread_.append(piece.data(), static_cast<std::size_t>(count));
  else if (count == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) refuse_end();
}

void LineProcess::send(std::string_view text, const Stop& stop) {
  while (!text.empty()) {
    const ssize_t count = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      wait_for(POLLIN | POLLOUT, stop);
      receive();
    } else if (errno != EINTR) {
      refuse_end();
    }
  }
}

void LineProcess::wait_for(short events, const Stop& stop) const {
  constexpr int kMilliseconds = 20;  // between two looks at `stop`
  pollfd waiting{.fd = socket_, .events = events, .revents = 0};
  while (::poll(&waiting, 1, kMilliseconds) <= 0) {
    if (!stop.requested()) continue;
    if (stop.is_late()) throw LimitError(fmt::format("the time limit was over before '{}' had answered", command_));
    throw CancelledError(fmt::format("interrupted while '{}' was asked", command_));
  }
}

void LineProcess::refuse_end() {
  int status = 0;
  ::waitpid(std::exchange(process_, -1), &status, 0);
  const std::string how = WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                                              : fmt::format("with exit code {}", WEXITSTATUS(status));
  throw InputError({}, fmt::format("the command '{}' ended {} before it had answered line {}", command_, how, asked_),
                   "It must read lines until its standard input ends, and write a line for each at once, without "
                   "waiting for more");
}

}  // namespace fovea
