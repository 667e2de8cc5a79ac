// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "fovea/cli/run/command.h"

namespace fovea::cli {

/// Environment of one run of the program; tests give their own.
struct Environment {
  Console& console;
  const CancelToken& cancel;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

/// Runs `fovea <args>` with these subcommands and returns the exit status. Never throws: every exception becomes a
/// message and a code of exit_code.h. With --json among the arguments, a failure is also the last line of the output,
/// as a JSON object with the one key "error".
int run_program(std::span<const CommandEntry> commands, const std::vector<std::string>& args,
                const Environment& environment);

}  // namespace fovea::cli
