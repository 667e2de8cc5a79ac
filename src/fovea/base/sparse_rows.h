// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea {

/// A sparse matrix by rows (CSR). If `values` is empty, every stored entry is 1.
struct SparseRows {
  std::vector<std::uint32_t> offsets = {0};  ///< row r holds entries offsets[r] .. offsets[r + 1] - 1
  std::vector<std::uint32_t> columns;
  std::vector<float> values;

  std::size_t row_count() const { return offsets.size() - 1; }
  std::span<const std::uint32_t> row(std::size_t r) const {
    return {columns.data() + offsets[r], columns.data() + offsets[r + 1]};
  }
  float value(std::size_t entry) const { return values.empty() ? 1.0f : values[entry]; }
  /// Rows at which ranges of about `entries` entries each, and of at most as many rows, begin; at last, row_count().
  std::vector<std::size_t> cuts(std::size_t entries) const {
    std::vector<std::size_t> cuts = {0};
    for (std::size_t r = 0; r < row_count(); ++r)
      if (offsets[r + 1] - offsets[cuts.back()] + r + 1 - cuts.back() >= entries || r + 1 == row_count())
        cuts.push_back(r + 1);
    return cuts;
  }
  void end_row() { offsets.push_back(static_cast<std::uint32_t>(columns.size())); }
};

/// The features of many items, stored as a product of two sparse matrices: item -> bundles, bundle -> attributes.
///
/// A bundle is the set of attributes that one part of an item's surroundings (say, the word two to the left) gives rise
/// to. Text repeats itself, so distinct bundles are few: the scores of a bundle are summed once and then shared by all
/// items that hold it, and gradients go the same way back.
struct EncodedItems {
  SparseRows bundles;                               ///< bundle -> attribute ids
  SparseRows items;                                 ///< item -> bundle ids; values for numeric attributes
  std::vector<std::uint32_t> sequence_begin = {0};  ///< first item of each sequence, then the number of items

  std::size_t item_count() const { return items.row_count(); }
  std::size_t sequence_count() const { return sequence_begin.size() - 1; }
};

}  // namespace fovea
