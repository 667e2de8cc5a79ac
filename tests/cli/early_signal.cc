// SPDX-License-Identifier: Apache-2.0
// Loaded with the program (LD_PRELOAD), its constructor, which runs before main(), asks the process to end: as whoever
// ends it in its first milliseconds.
#include <signal.h>

namespace {

[[gnu::constructor]] void ask_to_end() { ::raise(SIGTERM); }

}  // namespace
