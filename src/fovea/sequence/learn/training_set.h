// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/sparse_rows.h"
#include "fovea/mcmc/conditional_model.h"

namespace fovea::sequence {

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
