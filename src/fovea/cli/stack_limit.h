// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fovea::cli {

/// Lets this thread's stack grow to 8 MiB, as far as the process may, and gives as much to threads to come that would
/// have less than works: a small stack (ulimit -s) would end in a crash. Where this thread may not have the least that
/// works, it says so and ends with the code of a limit. May be called before constructors.
void ensure_stack();

}  // namespace fovea::cli
