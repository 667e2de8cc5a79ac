// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/temporary_file.h"
#include "fovea/cli/run/exit_code.h"

namespace fovea::cli {
namespace {

CancelToken* cancel_token = nullptr;  // a signal handler has no other way to its data

void handle_interrupt(int) {
  if (cancel_token->cancelled()) {
    remove_temporary_files();
    ::_exit(static_cast<int>(ExitCode::kInterrupted));
  }
  cancel_token->cancel();
}

}  // namespace

void install_signal_handlers(CancelToken& token) {
  cancel_token = &token;
  struct sigaction action = {};
  action.sa_handler = handle_interrupt;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
  ::sigaction(SIGXFSZ, &action, nullptr);
}

Watchdog::Watchdog(Clock::time_point deadline, std::function<void()> on_late) {
  if (deadline == Clock::time_point::max()) return;
  thread_ = std::thread([this, deadline, late = std::move(on_late)] { watch(deadline, late); });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_called_off_ = true;
  }
  called_off_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::watch(Clock::time_point deadline, const std::function<void()>& on_late) {
  std::unique_lock lock(mutex_);
  if (!called_off_.wait_until(lock, deadline, [this] { return is_called_off_; })) on_late();
}

namespace {

constexpr rlim_t kWantedStack = rlim_t{8} << 20, kLeastStack = rlim_t{512} << 10;

/// The size that this thread's stack may grow to, after asking for kWantedStack.
rlim_t raise_limit() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kWantedStack) return kWantedStack;
  const struct rlimit wanted = {.rlim_cur = kWantedStack, .rlim_max = std::max(limit.rlim_max, kWantedStack)};
  if (::setrlimit(RLIMIT_STACK, &wanted) == 0) return kWantedStack;  // root may raise the hard limit
  limit.rlim_cur = std::min(limit.rlim_max, kWantedStack);
  ::setrlimit(RLIMIT_STACK, &limit);
  return limit.rlim_cur;
}

void raise_threads_stacks() {
  pthread_attr_t attributes;
  if (::pthread_getattr_default_np(&attributes) != 0) return;
  std::size_t bytes = 0;
  if (::pthread_attr_getstacksize(&attributes, &bytes) == 0 && bytes < kLeastStack &&
      ::pthread_attr_setstacksize(&attributes, kWantedStack) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

}  // namespace

void ensure_stack() {
  if (raise_limit() < kLeastStack) {
    constexpr std::string_view kMessage =
        "fovea: error: the stack may not grow to 512 kB. Allow more: 'ulimit -s 8192', or 'LimitSTACK' of a service\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    ::_exit(static_cast<int>(ExitCode::kLimit));
  }
  raise_threads_stacks();
}

DescriptorBuffer::DescriptorBuffer(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  write_out();
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  return sputc(traits_type::to_char_type(c));
}

int DescriptorBuffer::sync() {
  write_out();
  return 0;
}

void DescriptorBuffer::write_out() {
  const char* next = pbase();
  const char* const end = pptr();
  setp(buffer_.data(), buffer_.data() + buffer_.size());  // what cannot be written is given up
  while (next < end) {
    const ssize_t written = ::write(descriptor_, next, static_cast<std::size_t>(end - next));
    if (written >= 0) next += written;
    else if (errno == EPIPE) throw OutputClosed();
    else if (errno != EINTR)
      throw InputError({.file = name_}, "cannot write: " + std::generic_category().message(errno),
                       "The output so far is incomplete");
  }
}

void reserve_standard_descriptors() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF && ::open("/dev/null", O_RDONLY) != descriptor) return;
}

bool open_in_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  std::string program = "xdg-open", given = address;
  std::array<char*, 3> arguments = {program.data(), given.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  return error == 0;
}

}  // namespace fovea::cli
