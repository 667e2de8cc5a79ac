// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fovea {

/// Deterministic work, counted beside seconds everywhere: the same input, seed and budget give the same counts on any
/// machine and at any number of threads.
struct Work {
  std::uint64_t transitions = 0;   ///< kernel steps: one variable resampled (or maximised) once
  std::uint64_t factors = 0;       ///< factor (label n-gram or unary) evaluations
  std::uint64_t oracle_calls = 0;  ///< calls of an expensive exact routine

  Work& operator+=(const Work& other) {
    transitions += other.transitions;
    factors += other.factors;
    oracle_calls += other.oracle_calls;
    return *this;
  }
  friend bool operator==(const Work&, const Work&) = default;
};

}  // namespace fovea
