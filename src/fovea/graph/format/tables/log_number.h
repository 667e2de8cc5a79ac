// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fovea::graph {

/// The natural logarithm of a decimal number: -inf for 0, +inf for "inf", NaN for what is negative or no number.
/// Numbers beyond the range of double ("1e-400") are read as well, so that they do not become hard constraints.
double log_of_decimal(std::string_view text);

/// Appends e^log_value as a decimal number that log_of_decimal reads again: as the shortest of 6, 12, 15 or 17 digits
/// that gives log_value itself, if one does. -inf is "0"; beyond the range of double the exponent grows. Not NaN, below
/// +inf.
void append_exponential(std::string& text, double log_value);

}  // namespace fovea::graph
