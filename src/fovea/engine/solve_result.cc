// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/solve_result.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace fovea {
namespace {

std::string assignment_brief(const SolveResult& result) {
  const bool bounded = result.upper_bound < std::numeric_limits<double>::infinity();
  const char* const what = result.status == SolveStatus::kEstimate ? "estimated log score" : "log score";
  std::string text = fmt::format("{} {:.6f}", what, result.best.score);
  if (result.status == SolveStatus::kExact) text += ", optimal";
  else if (bounded) text += fmt::format(", at most {:.6f} below the best", std::max(0.0, result.gap()));
  else text += ", no bound on the best";
  return text;
}

std::string sum_brief(const SolveResult& result) {
  std::string text;
  if (!std::isnan(result.log_partition))
    text = fmt::format("log10 Z {:.6f}", result.log_partition / std::numbers::ln10);
  if (!result.marginals.empty())
    text += fmt::format("{}marginals of {} variables", text.empty() ? "" : ", ", result.marginals.size());
  if (result.status == SolveStatus::kExact) return text + ", exact";
  if (result.exact_variables > 0) text += fmt::format(" ({} of them exact)", result.exact_variables);
  if (result.max_standard_error > 0) text += fmt::format(", standard errors up to {:.2g}", result.max_standard_error);
  else if (result.log_partition_error > 0)
    text += fmt::format(", standard error {:.2g}", result.log_partition_error / std::numbers::ln10);
  else text += ", an estimate without an error";
  return text;
}

}  // namespace

const char* name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::kExact:
      return "exact";
    case SolveStatus::kBestSoFar:
      return "best so far";
    case SolveStatus::kEstimate:
      return "estimate";
    case SolveStatus::kNotRun:
      break;
  }
  return "not run";
}

std::string SolveResult::brief() const {
  if (status == SolveStatus::kNotRun) return "not run";
  const std::string what = best.found() ? assignment_brief(*this) : sum_brief(*this);
  return fmt::format("{} ({}, {:.2f} s)", what, method, seconds);
}

}  // namespace fovea
