// SPDX-License-Identifier: Apache-2.0
// Loaded before the C library (LD_PRELOAD), it makes the steady clock run FOVEA_CLOCK_RATE times as fast: as if the
// machine were that much slower. Who must not look at a clock answers the same.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

extern "C" [[gnu::visibility("default")]] int clock_gettime(clockid_t clock, timespec* time) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  static const char* rate = std::getenv("FOVEA_CLOCK_RATE");
  static const std::int64_t factor = rate != nullptr ? std::atoll(rate) : 1;
  static std::int64_t begin = -1;
  const long failed = ::syscall(SYS_clock_gettime, clock, time);
  if (failed != 0 || clock != CLOCK_MONOTONIC) return static_cast<int>(failed);
  const std::int64_t now = time->tv_sec * kNanoseconds + time->tv_nsec;
  if (begin < 0) begin = now;
  const std::int64_t later = begin + (now - begin) * factor;
  time->tv_sec = later / kNanoseconds;
  time->tv_nsec = later % kNanoseconds;
  return 0;
}
