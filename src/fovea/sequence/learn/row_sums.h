// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/base/sparse_rows.h"

namespace fovea::sequence {

enum class EntryPower { kValue, kSquare };

/// For r in [begin, end): out[r - begin] = sum over the entries e of row r of `matrix` of value(e)^p *
/// table[column(e)], rows of `stride` floats each (a multiple of 16, both arrays 64-byte aligned): the product of a
/// sparse matrix and a dense one. Vectorised; entries are added in order, in blocks, so that long rows lose little
/// precision.
void sum_rows(const SparseRows& matrix, std::size_t begin, std::size_t end, const float* table, std::size_t stride,
              float* out, EntryPower power = EntryPower::kValue);

}  // namespace fovea::sequence
