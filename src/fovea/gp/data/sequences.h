// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/sparse_rows.h"

namespace fovea::gp {

/// One label per item of a sequence.
using Labels = std::span<const Value>;

/// Sequences of items with sparse features, laid end to end.
struct Sequences {
  SparseRows features;                     ///< item -> features; the columns of a row ascend
  std::vector<std::uint32_t> begin = {0};  ///< first item of each sequence, then the number of items
  std::vector<Value> labels = {};          ///< per item; empty if not known
  std::size_t label_count = 0;             ///< labels are below this; may be 0 if they are not known

  std::size_t item_count() const { return features.row_count(); }
  std::size_t sequence_count() const { return begin.size() - 1; }
  std::size_t length(std::size_t sequence) const { return begin[sequence + 1] - begin[sequence]; }
  Labels labels_of(std::size_t sequence) const { return Labels(labels).subspan(begin[sequence], length(sequence)); }
};

/// The sequences with these numbers, in this order.
inline Sequences sequences_at(const Sequences& sequences, std::span<const std::size_t> which) {
  const SparseRows& from = sequences.features;
  Sequences result;
  result.label_count = sequences.label_count;
  for (const std::size_t n : which) {
    const std::size_t begin = sequences.begin[n], end = sequences.begin[n + 1];
    for (std::size_t t = begin; t < end; ++t) {
      result.features.columns.insert(result.features.columns.end(), from.row(t).begin(), from.row(t).end());
      for (std::uint32_t e = from.offsets[t]; !from.values.empty() && e < from.offsets[t + 1]; ++e)
        result.features.values.push_back(from.values[e]);
      result.features.end_row();
      if (!sequences.labels.empty()) result.labels.push_back(sequences.labels[t]);
    }
    result.begin.push_back(static_cast<std::uint32_t>(result.features.row_count()));
  }
  return result;
}

}  // namespace fovea::gp
