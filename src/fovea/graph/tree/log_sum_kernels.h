// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fovea::graph::internal {

/// Start of a running maximum, below every log score that is not -inf.
inline constexpr double kLowestScore = -1e300;

/// Adds x to running sums of exponentials, entry by entry: sum[i] exp(highest[i]) += exp(x[i]), highest[i] = the
/// largest x[i] so far. Start: highest = kLowestScore, sum = 0. x: log domain, -inf is legal.
void add_exponentials(const double* x, std::size_t size, double* highest, double* sum);

/// log_sum[i] = log(sum[i] exp(highest[i])), -inf where the sum is 0. log_sum may be `highest`.
void finish_log_sums(const double* highest, const double* sum, std::size_t size, double* log_sum);

/// x[i] <- exp(x[i] - shift), 0 below exp(-700).
void exponentiate_shifted(double* x, std::size_t size, double shift);

}  // namespace fovea::graph::internal
