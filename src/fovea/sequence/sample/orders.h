// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Positions of all tokens, left to right, sequence by sequence.
inline std::vector<VariableId> left_to_right_order(const LabelSequences& sequences) {
  std::vector<VariableId> order;
  order.reserve(sequences.token_count());
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) order.push_back(static_cast<VariableId>(p));
  return order;
}

/// Positions of all tokens in colour order: first those = 0 modulo the factor size, then = 1, and so on. Within a
/// colour no two positions share a window (the pads are a factor size minus one wide), so their conditionals are
/// independent.
inline std::vector<VariableId> colour_order(const LabelSequences& sequences) {
  const std::size_t colours = sequences.ngrams().factor_size();
  std::vector<VariableId> order;
  order.reserve(sequences.token_count());
  for (std::size_t colour = 0; colour < colours; ++colour)
    for (std::size_t s = 0; s < sequences.sequence_count(); ++s) {
      const std::size_t begin = sequences.begin(s);
      const std::size_t first = begin + (colour + colours - begin % colours) % colours;
      for (std::size_t p = first; p < sequences.end(s); p += colours) order.push_back(static_cast<VariableId>(p));
    }
  return order;
}

}  // namespace fovea::sequence
