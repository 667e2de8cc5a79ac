// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/base/sparse_rows.h"

namespace fovea::sequence {

/// `rows` with rows and columns exchanged; within a row of the result, columns ascend.
SparseRows transpose(const SparseRows& rows, std::size_t column_count);

/// EncodedItems seen from the other side, so that sums over items can be gathered in a fixed order by whoever owns the
/// result: no atomics, no copies of the gradient per thread.
struct TransposedItems {
  SparseRows bundles;     ///< bundle -> items that hold it
  SparseRows attributes;  ///< attribute -> bundles that hold it

  TransposedItems(const EncodedItems& items, std::size_t attribute_count)
      : bundles(transpose(items.items, items.bundles.row_count())),
        attributes(transpose(items.bundles, attribute_count)) {}
};

}  // namespace fovea::sequence
