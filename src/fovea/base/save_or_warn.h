// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "fovea/base/error.h"

namespace fovea {

/// Called with a sentence about what failed and did not end the job.
using WarningFunction = std::function<void(const std::string&)>;

/// Calls `save`, which writes a checkpoint. Where it cannot, `warn` is told: the job itself is worth more. Without
/// `warn` the InputError goes to the caller.
template <class Save>
void save_or_warn(const Save& save, const WarningFunction& warn) {
  try {
    save();
  } catch (const InputError& error) {
    if (!warn) throw;
    warn(std::string("no checkpoint was written, and the job goes on: ") + error.what());
  }
}

}  // namespace fovea
