// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "fovea/base/sparse_rows.h"

namespace fovea::sequence {

enum class EntryPower { kValue, kSquare };

/// For r in [begin, end): out[r - begin] = sum over the entries e of row r of `matrix` of value(e)^p *
/// table[column(e)], rows of `stride` floats each (a multiple of 16, both arrays 64-byte aligned): the product of a
/// sparse matrix and a dense one. Vectorised; entries are added in order, in blocks, so that long rows lose little
/// precision.
void sum_rows(const SparseRows& matrix, std::size_t begin, std::size_t end, const float* table, std::size_t stride,
              float* out, EntryPower power = EntryPower::kValue);

/// weights[k] = exp(s_k - max s), s = unary + sum of the rows; `stride` floats each (a multiple of 16, 64-byte
/// aligned). Lanes past label_count become 0. `weights` may be `unary`. Returns max s.
float site_weights(const float* unary, std::span<const float* const> rows, std::size_t label_count, std::size_t stride,
                   float* weights);

}  // namespace fovea::sequence
