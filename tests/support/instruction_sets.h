// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "hwy/highway.h"

namespace fovea::testing {

/// Runs body() with run-time dispatch set to each instruction set that is compiled in and that this machine has.
template <class Body>
void for_each_instruction_set(const Body& body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace fovea::testing
