// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <chrono>
#include <iostream>

#include "fovea/cli/run/commands.h"
#include "fovea/cli/run/process.h"
#include "fovea/cli/run/program.h"
#include "fovea/io/stream.h"

namespace {

constinit fovea::CancelToken cancel;

#ifndef __SANITIZE_ADDRESS__  // it has to start first
// Runs before the constructors of libraries, which take longer than anything else until main() begins: a program that
// is ended in its first milliseconds still returns the documented exit code, and the constructors need a stack.
void begin_early(int, char**, char**) {
  fovea::cli::ensure_stack();
  fovea::cli::install_signal_handlers(cancel);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const kBeforeConstructors)(int, char**, char**) = begin_early;
#endif

}  // namespace

int main(int argc, char** argv) {
  const auto started = std::chrono::steady_clock::now();
  fovea::cli::reserve_standard_descriptors();
  fovea::cli::install_signal_handlers(cancel);
  fovea::io::cancel_reading_by(&cancel);
  fovea::cli::DescriptorBuffer buffer(STDOUT_FILENO, "<stdout>");
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  fovea::cli::Console console(out, std::cerr, fovea::cli::Console::detect());
  return fovea::cli::run_program(fovea::cli::all_commands(), {argv + 1, argv + argc},
                                 {.console = console, .cancel = cancel, .started = started});
}
