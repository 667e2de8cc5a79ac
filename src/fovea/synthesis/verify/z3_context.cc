// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/z3_context.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>

namespace fovea::synthesis {
namespace {

/// Bytes that the process may have, by its limits on data and on addresses.
std::uint64_t allowed_bytes() {
  std::uint64_t least = RLIM_INFINITY;
  for (const int kind : {RLIMIT_AS, RLIMIT_DATA}) {
    struct rlimit limit = {};
    if (::getrlimit(static_cast<__rlimit_resource>(kind), &limit) == 0)
      least = std::min<std::uint64_t>(least, limit.rlim_cur);
  }
  return least;
}

/// Limits Z3 to half of what is allowed: the rest is for the program, its threads and what Z3 does not count.
void limit_memory() {
  if (allowed_bytes() == RLIM_INFINITY) return;
  const std::string megabytes = std::to_string(std::max<std::uint64_t>(1, allowed_bytes() >> 21));
  Z3_global_param_set("memory_max_size", megabytes.c_str());
}

}  // namespace

void require_memory_for_parser() {
  constexpr std::size_t kBytes = std::size_t{16} << 20;
  void* room = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, kBytes);
}

Z3Context::Z3Context() : raw_(make()), scoped_(raw_.get()) {}

Z3_context Z3Context::make() {
  static std::once_flag once;
  std::call_once(once, limit_memory);
  const Z3_config config = Z3_mk_config();
  const Z3_context context = config == nullptr ? nullptr : Z3_mk_context_rc(config);
  if (config != nullptr) Z3_del_config(config);
  if (context == nullptr) throw std::bad_alloc();
  return context;
}

namespace {

constexpr std::chrono::milliseconds kPause{10};

z3::check_result answer_of(z3::solver& solver, const z3::expr_vector& assumptions) try {
  // Signals belong to the program. Z3 would take SIGINT for the time of a check, and when checks of two threads overlap
  // it would restore the wrong handler.
  solver.set("ctrl_c", false);
  return solver.check(assumptions);
} catch (const z3::exception&) {
  return z3::unknown;
}

}  // namespace

Z3Calls::Z3Calls(z3::context& context, const Stop& stop)
    : context_(context), stop_(stop), watcher_([this](const std::stop_token& end) { watch(end); }) {}

z3::check_result Z3Calls::check(z3::solver& solver) { return check(solver, z3::expr_vector(context_)); }

z3::check_result Z3Calls::check(z3::solver& solver, const z3::expr_vector& assumptions) {
  if (is_interrupted_ || stop_.requested()) return z3::unknown;
  {
    const std::lock_guard lock(mutex_);
    is_running_ = true;
  }
  const z3::check_result result = answer_of(solver, assumptions);
  const std::lock_guard lock(mutex_);
  is_running_ = false;
  return is_interrupted_ ? z3::unknown : result;
}

/// Interrupts only checks: once their context is interrupted, other functions of Z3 throw exceptions that nobody
/// catches.
void Z3Calls::watch(const std::stop_token& end) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, end, kPause, [&] { return end.stop_requested(); })) {
    if (!is_running_ || !stop_.requested()) continue;
    is_interrupted_ = true;
    context_.interrupt();  // again and again: a check that has just begun may not see it
  }
}

}  // namespace fovea::synthesis
