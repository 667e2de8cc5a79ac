// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fovea/base/sparse_rows.h"

namespace fovea::gp {

/// Rows by column: (row, value) of column c are the entries offsets[c] .. offsets[c + 1], rows ascending.
struct ByColumn {
  explicit ByColumn(const SparseRows& rows);
  std::size_t columns() const { return offsets.size() - 1; }

  std::vector<std::uint32_t> offsets;
  std::vector<std::pair<std::uint32_t, float>> entries;
};

}  // namespace fovea::gp
