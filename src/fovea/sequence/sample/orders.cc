// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/orders.h"

namespace fovea::sequence {

std::vector<VariableId> left_to_right_order(const LabelSequences& sequences) {
  std::vector<VariableId> order;
  order.reserve(sequences.token_count());
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s)
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) order.push_back(static_cast<VariableId>(p));
  return order;
}

std::vector<VariableId> colour_order(const LabelSequences& sequences) {
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
