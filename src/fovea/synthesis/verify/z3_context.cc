// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/z3_context.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <new>
#include <string>

namespace fovea::synthesis {
namespace {

/// Bytes that the process may still ask for, by its limits on addresses and on data; RLIM_INFINITY without limits.
std::uint64_t bytes_left() {
  std::uint64_t pages[6] = {};  // addresses, resident, shared, code, unused, data: see proc(5)
  std::ifstream file("/proc/self/statm");
  for (std::uint64_t& count : pages) file >> count;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::uint64_t least = RLIM_INFINITY;
  const auto lower = [&](auto kind, std::uint64_t used) {
    struct rlimit limit = {};
    if (::getrlimit(kind, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      least = std::min<std::uint64_t>(least, limit.rlim_cur > used ? limit.rlim_cur - used : 0);
  };
  lower(RLIMIT_AS, pages[0] * page);
  lower(RLIMIT_DATA, pages[5] * page);
  return least;
}

/// Limits Z3 to half of what is left: the rest is for the program, its threads and what Z3 does not count. Where memory
/// is limited, threads share one heap: each would set 64 MiB of addresses aside for its own.
void limit_memory() {
  if (bytes_left() == RLIM_INFINITY) return;
#ifdef M_ARENA_MAX
  ::mallopt(M_ARENA_MAX, 1);
#endif
  const std::string megabytes = std::to_string(std::max<std::uint64_t>(1, bytes_left() >> 21));
  Z3_global_param_set("memory_max_size", megabytes.c_str());
}

}  // namespace

void require_memory_for_z3() {
  constexpr std::size_t kBytes = std::size_t{16} << 20;
  void* room = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, kBytes);
}

void limit_z3_memory() {
  static std::once_flag once;
  std::call_once(once, limit_memory);
}

Z3Context::Z3Context() : raw_(make()), scoped_(raw_.get()) {}

Z3_context Z3Context::make() {
  limit_z3_memory();
  require_memory_for_z3();
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
