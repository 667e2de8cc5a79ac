// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/sparse_rows.h"
#include "fovea/mcmc/conditional_model.h"

namespace fovea::sequence {

/// `rows` with rows and columns exchanged; within a row of the result, columns ascend.
SparseRows transpose(const SparseRows& rows, std::size_t column_count);

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
