// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fovea::cli {

/// Sees to stacks of 8 MiB, for this thread and for those to come, as far as the process may: a smaller one (ulimit -s)
/// would end in a crash. Where it may not have the least that works, it says so and ends with the code of a limit. May
/// be called before constructors.
void ensure_stack();

}  // namespace fovea::cli
