// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/z3_context.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>

namespace fovea::synthesis {
namespace {

/// Bytes that the process may have, by its limits of data and of addresses.
std::uint64_t allowed_bytes() {
  std::uint64_t least = RLIM_INFINITY;
  for (const int kind : {RLIMIT_AS, RLIMIT_DATA}) {
    struct rlimit limit = {};
    if (::getrlimit(static_cast<__rlimit_resource>(kind), &limit) == 0)
      least = std::min<std::uint64_t>(least, limit.rlim_cur);
  }
  return least;
}

/// Half of what is allowed: the rest is the program's, its threads' and what Z3 does not count.
void limit_memory() {
  if (allowed_bytes() == RLIM_INFINITY) return;
  const std::string megabytes = std::to_string(std::max<std::uint64_t>(1, allowed_bytes() >> 21));
  Z3_global_param_set("memory_max_size", megabytes.c_str());
}

}  // namespace

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

}  // namespace fovea::synthesis
