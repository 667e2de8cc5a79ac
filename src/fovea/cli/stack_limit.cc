// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/stack_limit.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "fovea/cli/exit_code.h"

namespace fovea::cli {
namespace {

constexpr rlim_t kWantedStack = rlim_t{8} << 20, kLeastStack = rlim_t{512} << 10;

/// The size that this thread's stack may grow to, after asking for kWantedStack.
rlim_t raise_limit() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kWantedStack) return kWantedStack;
  const struct rlimit wanted = {.rlim_cur = kWantedStack, .rlim_max = std::max(limit.rlim_max, kWantedStack)};
  if (::setrlimit(RLIMIT_STACK, &wanted) == 0) return kWantedStack;  // whoever is root may
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

}  // namespace fovea::cli
