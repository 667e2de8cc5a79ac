// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace fovea {

/// x <- exp(x) for each, within a few units in the last place. -inf gives 0, and so does NaN: look for it before.
void exponentiate(std::span<float> x);
void exponentiate(std::span<double> x);

}  // namespace fovea
