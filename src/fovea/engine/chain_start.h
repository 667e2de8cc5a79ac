// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/graph/chains.h"

namespace fovea {

/// Fits the label pairs of a low-order chain to a higher-order model: with the model's unary scores u kept,
///
///   max over S  sum over sequences of log p_S(labels) - l2 |S|^2,   p_S(y) ~ exp(sum_i u_i(y_i) + sum_i
///   S[y_{i-1}][y_i]).
///
/// S is refitted because the model's own pair scores expect the longer n-grams to be there too. `labels` are best the
/// high-order model's own answers: imitating them needs no gold labels and overfits less. Convex, K^2 parameters.
/// Sequences with an unknown label (>= label_count()), or one whose unary score is -inf, are left out. Returns S as
/// [label][next label].
std::vector<float> fit_chain_start(const Chains& chains, const Assignment& labels, double l2 = 0.2);

}  // namespace fovea
