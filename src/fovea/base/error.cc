// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/error.h"

#include <fmt/format.h>

namespace fovea {
namespace {

std::string describe(const InputLocation& where, std::string_view problem, std::string_view remedy) {
  std::string text = where.file;
  if (where.line > 0) text += fmt::format("{}{}", text.empty() ? "line " : ":", where.line);
  if (!text.empty()) text += ": ";
  if (where.column > 0) text += fmt::format("column {}: ", where.column);
  text += problem;
  const bool ends_sentence = problem.ends_with('.') || problem.ends_with('?');  // "... Did you mean 'smoke'?"
  if (!remedy.empty()) text += fmt::format("{} {}", ends_sentence ? "" : ".", remedy);
  return text;
}

}  // namespace

InputError::InputError(InputLocation location, std::string_view problem, std::string_view remedy)
    : std::runtime_error(describe(location, problem, remedy)), location_(std::move(location)) {}

void internal::fail_check(const char* file, int line, const char* condition) {
  throw InternalError(
      fmt::format("{}:{}: broken invariant: {}. This is a bug in Fovea; please report it", file, line, condition));
}

}  // namespace fovea
