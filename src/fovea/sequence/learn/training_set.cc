// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

SparseRows transpose(const SparseRows& rows, std::size_t column_count) {
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

}  // namespace fovea::sequence
