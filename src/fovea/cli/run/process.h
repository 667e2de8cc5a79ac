// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <streambuf>
#include <string>
#include <thread>

#include "fovea/base/run_control.h"

namespace fovea::cli {

/// The first SIGINT or SIGTERM sets `token`; the second removes temporary files and ends the process at once with
/// status 130. Writing to a closed pipe and writing beyond the limit on file sizes become errors of the write instead
/// of signals. `token` must outlive the process's last signal.
void install_signal_handlers(CancelToken& token);

/// Calls `on_late` from a thread of its own if it is still alive at `deadline`: for work that cannot look at the clock,
/// such as reading a file. Nothing happens once the destructor has begun.
class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;

  /// A deadline of Clock::time_point::max() is never reached.
  Watchdog(Clock::time_point deadline, std::function<void()> on_late);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(Clock::time_point deadline, const std::function<void()>& on_late);

  std::mutex mutex_;
  std::condition_variable called_off_;
  bool is_called_off_ = false;  // guarded by mutex_
  std::thread thread_;
};

/// Lets this thread's stack grow to 8 MiB, as far as the process may, and gives the same size to future threads whose
/// stack would be too small: a small stack (ulimit -s) would end in a crash. If this thread cannot have the least stack
/// that works, it reports an error and ends with the code of a limit. May be called before constructors.
void ensure_stack();

/// A buffered writer to a file descriptor that says why it fails, instead of setting a flag that nobody reads: throws
/// OutputClosed when the reader is gone and InputError (with `name` and the system's reason) otherwise. Give the
/// ostream above it exceptions(std::ios::badbit), which lets these through.
class DescriptorBuffer : public std::streambuf {
 public:
  DescriptorBuffer(int descriptor, std::string name);

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  void write_out();

  int descriptor_;
  std::string name_;
  std::array<char, 1 << 16> buffer_;
};

/// Makes sure that descriptors 0 to 2 exist, so that no file of ours can be opened in the place of a closed standard
/// stream: reading from a closed one gives the end of file, writing to it fails.
void reserve_standard_descriptors();

/// Asks the desktop, if there is one, to open an address in its browser. False if it cannot be asked.
bool open_in_browser(const std::string& address);

}  // namespace fovea::cli
