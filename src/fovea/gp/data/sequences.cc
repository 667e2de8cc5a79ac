// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/data/sequences.h"

namespace fovea::gp {

Sequences sequences_at(const Sequences& sequences, std::span<const std::size_t> which) {
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
