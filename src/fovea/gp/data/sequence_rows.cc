// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/data/sequence_rows.h"

namespace fovea::gp {

RowMatrix rows_of_sequences(const RowMatrix& m, const Sequences& sequences, std::span<const std::size_t> which) {
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
