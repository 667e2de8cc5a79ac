// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/sparse_rows.h"

namespace fovea::sequence {

/// `rows` with rows and columns exchanged; within a row of the result, columns ascend.
inline SparseRows transpose(const SparseRows& rows, std::size_t column_count) {
  SparseRows result;
  result.offsets.assign(column_count + 1, 0);
  result.columns.resize(rows.columns.size());
  result.values.resize(rows.values.size());
  // offsets[c + 1] counts, then begins, then (as entries are placed) ends column c.
  for (const std::uint32_t c : rows.columns)
    if (c + 2 < result.offsets.size()) ++result.offsets[c + 2];
  for (std::size_t c = 2; c < result.offsets.size(); ++c) result.offsets[c] += result.offsets[c - 1];
  for (std::size_t r = 0; r < rows.row_count(); ++r)
    for (std::uint32_t entry = rows.offsets[r]; entry < rows.offsets[r + 1]; ++entry) {
      const std::uint32_t place = result.offsets[rows.columns[entry] + 1]++;
      result.columns[place] = static_cast<std::uint32_t>(r);
      if (!rows.values.empty()) result.values[place] = rows.values[entry];
    }
  return result;
}

/// EncodedItems transposed, so that sums over items can be gathered in a fixed order by the owner of the result:
/// without atomics, and without copies of the gradient per thread.
struct TransposedItems {
  SparseRows bundles;     ///< bundle -> items that hold it
  SparseRows attributes;  ///< attribute -> bundles that hold it

  TransposedItems(const EncodedItems& items, std::size_t attribute_count)
      : bundles(transpose(items.items, items.bundles.row_count())),
        attributes(transpose(items.bundles, attribute_count)) {}
};

/// The label of an item whose label is not known: training sums over all labels there.
inline constexpr Value kUnknownLabel = 0xFFFF;

/// Encoded sequences with their labels.
struct TrainingSet {
  EncodedItems items;
  std::vector<Value> labels;  ///< per item: < label_count, or kUnknownLabel
  std::size_t attribute_count = 0;
  int label_count = 0;

  std::size_t sequence_length(std::size_t sequence) const {
    return items.sequence_begin[sequence + 1] - items.sequence_begin[sequence];
  }
};

}  // namespace fovea::sequence
