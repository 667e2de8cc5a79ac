// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <span>

#include "fovea/gp/data/sequences.h"
#include "fovea/gp/matrix/dense.h"

namespace fovea::gp {

/// Rows of a sequence's items, in a matrix that has a row for every item.
inline auto sequence_rows(RowMatrix& m, const Sequences& sequences, std::size_t n) {
  return m.middleRows(index(sequences.begin[n]), index(sequences.length(n)));
}
inline auto sequence_rows(const RowMatrix& m, const Sequences& sequences, std::size_t n) {
  return m.middleRows(index(sequences.begin[n]), index(sequences.length(n)));
}

/// Rows of several sequences, one after another.
inline RowMatrix rows_of_sequences(const RowMatrix& m, const Sequences& sequences, std::span<const std::size_t> which) {
  Index items = 0;
  for (const std::size_t n : which) items += index(sequences.length(n));
  RowMatrix result(items, m.cols());
  Index at = 0;
  for (const std::size_t n : which) {
    const auto rows = sequence_rows(m, sequences, n);
    result.middleRows(at, rows.rows()) = rows;
    at += rows.rows();
  }
  return result;
}

}  // namespace fovea::gp
