// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace fovea::tagging::internal {

/// For every i < rows.size() / per_sum: sums[i] += rows[i * per_sum] + ... + rows[(i + 1) * per_sum - 1], each row and
/// sum of `stride` floats, sums end to end. Rows are added one after the other, in order, so the result is the same on
/// every instruction set. All are 64-byte aligned; stride is a multiple of 16, rows.size() one of per_sum.
void add_row_lists(std::span<const float* const> rows, std::size_t per_sum, std::size_t stride, float* sums);

}  // namespace fovea::tagging::internal
