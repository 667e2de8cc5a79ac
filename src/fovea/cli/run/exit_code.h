// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "fovea/base/error.h"

namespace fovea::cli {

/// Exit status of the program. The numbers are part of the interface.
enum class ExitCode {
  kAnswer = 0,
  kInternalError = 1,  ///< a bug in Fovea
  kUsage = 2,
  kBadInput = 3,
  kInfeasible = 4,     ///< the request has no answer
  kLimit = 5,          ///< time or memory ended before there was an answer
  kInterrupted = 130,  ///< Ctrl-C or SIGTERM; what was complete has been kept
};

/// An exception in the terms of the command line.
struct Failure {
  ExitCode code = ExitCode::kInternalError;
  std::string kind;  ///< "usage", "input", ...: what scripts may test for
  std::string message;
  InputLocation location = {};  ///< of bad input, as far as known

  /// {"error": {"exit_code": 3, "kind": "input", "message": "...", "file": "...", "line": 7, "column": 2}}; what is not
  /// known is left out.
  std::string json() const;
};

/// Sorts any exception into its exit code.
Failure failure_of(const std::exception_ptr& exception);

}  // namespace fovea::cli
