// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fovea/synthesis/program/transition_system.h"

namespace fovea {

/// A run from a start state to one that is not allowed: the reason why there is no invariant.
using UnsafeRun = std::vector<ProgramState>;

/// Whether it is one, by evaluating the program's conditions: shares nothing with what found it.
bool is_unsafe_run(const TransitionSystem& system, std::span<const ProgramState> run);

/// Seeks a shortest such run by unrolling the program step after step in Z3 (bounded model checking).
class UnsafeRunSearch {
 public:
  explicit UnsafeRunSearch(const TransitionSystem& system);  // `system` must outlive it
  ~UnsafeRunSearch();

  /// The run, or empty: none of at most `steps` steps (with numbers of 64 bits) found within `milliseconds`.
  UnsafeRun find(std::size_t steps, unsigned milliseconds);

  /// Ends find() soon, or at its beginning. From any thread.
  void interrupt();

 private:
  struct Unrolling;
  std::unique_ptr<Unrolling> unrolling_;
};

}  // namespace fovea
