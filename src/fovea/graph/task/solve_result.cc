// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/task/solve_result.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace fovea::graph {
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

std::string log_partition_brief(const SolveResult& result) {
  const double log10_z = result.log_partition / std::numbers::ln10,
               error = result.log_partition_error / std::numbers::ln10;
  if (result.status == SolveStatus::kExact) return fmt::format("log10 Z {:.6f}", log10_z);
  if (error > 0) return fmt::format("log10 Z {:.6f}, standard error {:.2g}", log10_z, error);
  return fmt::format("log10 Z about {:.6f}, an estimate without an error", log10_z);
}

/// What is known of the errors of marginals that are not all exact.
std::string marginals_error_brief(const SolveResult& result) {
  if (!result.mixing) return "estimates without an error";
  switch (*result.mixing) {
    case mcmc::Mixing::kMixed:
      return fmt::format("standard errors up to {:.2g}", result.max_standard_error);
    case mcmc::Mixing::kNotMixed:
      return fmt::format("chains have not mixed (R-hat {:.4g}): errors are unknown", result.max_r_hat);
    case mcmc::Mixing::kCannotTell:
      break;
  }
  if (result.unmoved_variables > 0)
    return fmt::format("cannot tell whether the chains have mixed: {} variables never moved", result.unmoved_variables);
  return fmt::format("cannot tell whether the chains have mixed: {:.0f} effective draws are too few",
                     result.min_effective_samples);
}

std::string sum_brief(const SolveResult& result) {
  std::string text;
  if (!std::isnan(result.log_partition)) text = log_partition_brief(result);
  if (!result.marginals.empty())
    text += fmt::format("{}marginals of {} variables", text.empty() ? "" : "; ", result.marginals.size());
  if (result.status == SolveStatus::kExact) return text + ", exact";
  if (result.marginals.empty()) return text;
  if (result.exact_variables > 0) text += fmt::format(" ({} of them exact)", result.exact_variables);
  return text + ", " + marginals_error_brief(result);
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

}  // namespace fovea::graph
