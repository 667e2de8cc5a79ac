// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/sparse_rows.h"

namespace fovea::gp {

/// Features of one item: ascending columns with their values.
class SparseRow {
 public:
  SparseRow(const SparseRows& rows, std::size_t r)
      : columns_(rows.row(r)), values_(rows.values.empty() ? nullptr : rows.values.data() + rows.offsets[r]) {}

  std::size_t size() const { return columns_.size(); }
  std::uint32_t column(std::size_t e) const { return columns_[e]; }
  float value(std::size_t e) const { return values_ ? values_[e] : 1.0f; }

 private:
  std::span<const std::uint32_t> columns_;
  const float* values_;
};

/// x^T y; O(nonzeros).
double inner_product(SparseRow x, SparseRow y);

/// Rows sorted by column: the (row, value) pairs of column c are the entries offsets[c] .. offsets[c + 1], rows
/// ascending.
struct ByColumn {
  explicit ByColumn(const SparseRows& rows);
  std::size_t columns() const { return offsets.size() - 1; }

  std::vector<std::uint32_t> offsets;
  std::vector<std::pair<std::uint32_t, float>> entries;
};

}  // namespace fovea::gp
