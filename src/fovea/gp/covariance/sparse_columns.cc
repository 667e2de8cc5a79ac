// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/covariance/sparse_columns.h"

#include <algorithm>

namespace fovea::gp {

double inner_product(SparseRow x, SparseRow y) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x.column(i) == y.column(j)) sum += double{x.value(i++)} * y.value(j++);
    else if (x.column(i) < y.column(j)) ++i;
    else ++j;
  }
  return sum;
}

ByColumn::ByColumn(const SparseRows& rows) {
  std::uint32_t columns = 0;
  for (const std::uint32_t column : rows.columns) columns = std::max(columns, column + 1);
  offsets.assign(columns + 1, 0);
  for (const std::uint32_t column : rows.columns) ++offsets[column + 1];
  for (std::size_t c = 0; c < columns; ++c) offsets[c + 1] += offsets[c];
  entries.resize(rows.columns.size());
  std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
  for (std::uint32_t r = 0; r < rows.row_count(); ++r)
    for (std::uint32_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e)
      entries[next[rows.columns[e]]++] = {r, rows.value(e)};
}

}  // namespace fovea::gp
