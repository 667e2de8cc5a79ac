// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fovea {

/// Place of a problem in the user's input; zero or empty means "not known" or "not applicable".
struct InputLocation {
  std::string file = {};     ///< path as the user gave it; "<stdin>" for standard input
  std::uint64_t line = 0;    ///< 1-based
  std::uint64_t column = 0;  ///< 1-based column of a table, not a byte position
};

/// Bad input: what was found, the constraint it violates and what to do about it. Exit code 3.
/// what() reads `file:line: column c: problem. remedy`.
class InputError : public std::runtime_error {
 public:
  InputError(InputLocation location, std::string_view problem, std::string_view remedy = {});

  const InputLocation& location() const { return location_; }

 private:
  InputLocation location_;
};

/// A command line or option that cannot be obeyed. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request has no answer: hard constraints exclude every assignment. Exit code 4.
class InfeasibleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A time or memory limit was hit before there was any answer. Exit code 5.
class LimitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user asked to stop before there was any answer. Exit code 130.
class CancelledError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The reader of an output went away, as in `fovea tag ... | head`. Not a failure: nobody is left to answer. Exit
/// code 0.
class OutputClosed : public std::runtime_error {
 public:
  OutputClosed() : std::runtime_error("the reader of the output went away") {}
};

/// A bug in Fovea, thrown by FOVEA_CHECK; no input may cause it. Exit code 1.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace internal {
[[noreturn]] void fail_check(const char* file, int line, const char* condition);
}  // namespace internal

/// States an invariant of Fovea's own code; throws InternalError if it is broken. Never for checking input.
#define FOVEA_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::fovea::internal::fail_check(__FILE__, __LINE__, #condition))

}  // namespace fovea
