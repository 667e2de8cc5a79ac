// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace fovea::fuzz {

/// What a fuzz target asserts; a failure ends the run and keeps the input.
inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace fovea::fuzz
