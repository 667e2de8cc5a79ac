// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace fovea::sequence {

/// weights[k] = exp(s_k - max s), s = unary + sum of the rows; `stride` floats each (a multiple of 16, 64-byte
/// aligned). Lanes past label_count become 0. `weights` may be `unary`. Returns max s.
float site_weights(const float* unary, std::span<const float* const> rows, std::size_t label_count, std::size_t stride,
                   float* weights);

}  // namespace fovea::sequence
