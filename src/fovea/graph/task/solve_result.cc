// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/task/solve_result.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace fovea::graph {
namespace {

/// "..., optimal (junction tree, 0.12 s)"
std::string with_origin(const std::string& what, const SolveFacts& facts) {
  if (facts.status == SolveStatus::kNotRun) return "not run";
  return fmt::format("{} ({}, {:.2f} s)", what, facts.method, facts.seconds);
}

std::string log_partition_brief(const PartitionResult& result) {
  const double log10_z = result.log_partition / std::numbers::ln10,
               error = result.log_partition_error / std::numbers::ln10;
  if (result.is_exact()) return fmt::format("log10 Z {:.6f}", log10_z);
  if (error > 0) return fmt::format("log10 Z {:.6f}, standard error {:.2g}", log10_z, error);
  return fmt::format("log10 Z about {:.6f}, an estimate without an error", log10_z);
}

/// Errors, as far as known, of marginals that are not all exact.
std::string marginals_error_brief(const MarginalsResult& result) {
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

}  // namespace

std::string BestResult::brief() const {
  const bool bounded = bound < std::numeric_limits<double>::infinity();
  const char* const what = status == SolveStatus::kEstimate ? "estimated log score" : "log score";
  std::string text = fmt::format("{} {:.6f}", what, best.score);
  if (is_exact()) text += ", optimal";
  else if (bounded) text += fmt::format(", at most {:.6f} below the best", std::max(0.0, gap()));
  else text += ", no bound on the best";
  return with_origin(text, *this);
}

std::string PartitionResult::brief() const {
  return with_origin(log_partition_brief(*this) + (is_exact() ? ", exact" : ""), *this);
}

std::string MarginalsResult::brief() const {
  std::string text;
  if (!std::isnan(log_partition)) text = log_partition_brief(*this) + "; ";
  text += fmt::format("marginals of {} variables", marginals.size());
  if (is_exact()) return with_origin(text + ", exact", *this);
  if (exact_variables > 0) text += fmt::format(" ({} of them exact)", exact_variables);
  return with_origin(text + ", " + marginals_error_brief(*this), *this);
}

}  // namespace fovea::graph
