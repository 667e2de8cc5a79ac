// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/exit_code.h"

#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "fovea/cli/run/option_facts.h"

namespace fovea::cli {

namespace {

bool is_lack_of_threads(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr) return system->code() == std::errc::resource_unavailable_try_again;
  return std::string_view(error.what()).starts_with("pthread_create has failed");  // TBB's words; it has no type for it
}

}  // namespace

Failure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    return {ExitCode::kBadInput, "input", with_flags(error.what()), error.location()};
  } catch (const UsageError& error) {
    return {ExitCode::kUsage, "usage", with_flags(error.what())};
  } catch (const InfeasibleError& error) {
    return {ExitCode::kInfeasible, "infeasible", with_flags(error.what())};
  } catch (const LimitError& error) {
    return {ExitCode::kLimit, "limit", with_flags(error.what())};
  } catch (const CancelledError& error) {
    return {ExitCode::kInterrupted, "interrupted", with_flags(error.what())};
  } catch (const std::bad_alloc&) {
    return {ExitCode::kLimit, "limit", "out of memory. Give less input at once, fewer threads or a smaller model"};
  } catch (const std::exception& error) {
    if (is_lack_of_threads(error))
      return {ExitCode::kLimit, "limit",
              "the system cannot start another thread. Take fewer (--threads 1), or allow more threads and memory "
              "(ulimit -u, -v)"};
    return {ExitCode::kInternalError, "internal", error.what()};
  } catch (...) {
    return {ExitCode::kInternalError, "internal", "an exception of unknown type"};
  }
}

std::string Failure::json() const {
  nlohmann::ordered_json error = {{"exit_code", static_cast<int>(code)}, {"kind", kind}, {"message", message}};
  if (!location.file.empty()) error["file"] = location.file;
  if (location.line > 0) error["line"] = location.line;
  if (location.column > 0) error["column"] = location.column;
  // Messages quote the input, which may not be UTF-8.
  const nlohmann::ordered_json document = {{"error", error}};
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace fovea::cli
