// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "fovea/report/json.h"

namespace fovea::report {

/// A number with `digits` significant digits, so that pages stay small; null if it is not finite.
Json rounded(double value, int digits = 6);

using Chains = std::vector<std::span<const double>>;

/// Every `step`-th draw.
Json trace_of(std::span<const double> chain, std::size_t step);

/// [chain][part]: draws of the chain whose rank among those of all chains lies in that one of 20 equal parts. Equal
/// draws share the mean of their ranks.
Json ranks_of(const Chains& chains);

/// Pairs of a value and the number of draws there: of up to 30 different values each; of more, the middles of 30 equal
/// intervals.
Json values_of(const Chains& chains);

}  // namespace fovea::report
