// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fovea::ep {

/// Functions of each number of an array, several numbers at once, within a few units in the last place; with the same
/// infinities and NaNs as those of the standard library. `x` and `results` are of one size and may be the same array.
void exp_of(std::span<const double> x, std::span<double> results);
void log_of(std::span<const double> x, std::span<double> results);
void log1p_of(std::span<const double> x, std::span<double> results);
void logistic_of(std::span<const double> x, std::span<double> results);  ///< 1 / (1 + exp(-x))
void softplus_of(std::span<const double> x, std::span<double> results);  ///< log(1 + exp(x))

}  // namespace fovea::ep
