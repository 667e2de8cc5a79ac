// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "fovea/cli/run/commands.h"
#include "fovea/cli/run/program.h"

namespace fovea::testing {

struct Outcome {
  int status;
  std::string out, err;
};

/// Runs the program with its real commands inside this process: `args` are the words after `fovea`.
inline Outcome run_fovea(const std::vector<std::string>& args, bool interrupted = false) {
  std::ostringstream out, err;
  cli::Console console(out, err, {});
  CancelToken cancel;
  if (interrupted) cancel.cancel();
  const int status = cli::run_program(
      cli::all_commands(), args, {.console = console, .cancel = cancel, .started = std::chrono::steady_clock::now()});
  return {status, out.str(), err.str()};
}

}  // namespace fovea::testing
