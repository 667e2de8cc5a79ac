// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <chrono>
#include <iostream>

#include "fovea/cli/commands.h"
#include "fovea/cli/program.h"
#include "fovea/cli/signals.h"
#include "fovea/cli/standard_streams.h"

int main(int argc, char** argv) {
  const auto started = std::chrono::steady_clock::now();
  static fovea::CancelToken cancel;
  fovea::cli::reserve_standard_descriptors();
  fovea::cli::install_signal_handlers(cancel);
  fovea::cli::DescriptorBuffer buffer(STDOUT_FILENO, "<stdout>");
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  fovea::cli::Console console(out, std::cerr, fovea::cli::Console::detect());
  return fovea::cli::run_program(fovea::cli::all_commands(), {argv + 1, argv + argc},
                                 {.console = console, .cancel = cancel, .started = started});
}
