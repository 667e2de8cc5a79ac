// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/graph/chains.h"

namespace fovea {

/// Fits the label pairs of a low-order chain to a higher-order model: with the model's unary scores u kept,
///
///   max over S  sum over sequences of log p_S(gold),  p_S(y) ~ exp(sum_i u_i(y_i) + sum_i S[y_{i-1}][y_i]),  - l2
///   |S|^2.
///
/// S is refitted because the model's own pair scores expect the longer n-grams to be there too. Convex, K^2 parameters.
/// Sequences with an unknown gold label are left out. Returns S as [label][next label].
std::vector<float> fit_chain_start(const Chains& chains, const Assignment& gold, double l2 = 1);

}  // namespace fovea
