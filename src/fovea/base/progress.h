// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace fovea {

/// Asks a long computation to stop at its next safe point and return the best it has. Set from any thread or from a
/// signal handler (lock-free); never reset by the library.
class CancelToken {
 public:
  constexpr CancelToken() noexcept = default;
  /// Cancelled with `parent` too, which must outlive it.
  constexpr explicit CancelToken(const CancelToken* parent) noexcept : parent_(parent) {}

  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed) || (parent_ && parent_->cancelled());
  }

 private:
  std::atomic<bool> cancelled_ = false;
  const CancelToken* parent_ = nullptr;
  static_assert(std::atomic<bool>::is_always_lock_free);
};

/// One report of a long computation; the same record feeds progress bar, trace file and summary.
struct Progress {
  std::string_view phase = {};   ///< "reading", "training", ...
  double done = 0;               ///< units finished ...
  double total = 0;              ///< ... of this many; 0 when unknown
  double seconds = 0;            ///< since the phase began
  std::string_view figure = {};  ///< name of the figure that matters, e.g. "objective"
  double value = 0;              ///< and its value
};

/// Called from the thread that runs the computation, never concurrently; an empty function means silence.
using ProgressFunction = std::function<void(const Progress&)>;

}  // namespace fovea
